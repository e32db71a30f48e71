"""Faults that tests and the soak (bench/faults.py) share: killed builds, hostile files, readers, mutated questions."""
