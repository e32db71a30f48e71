"""An rtckb file in, answers out. Standard library only, plus click in cli.py."""
