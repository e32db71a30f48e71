"""Readers: they turn the files of a knowledge base into records and findings."""
