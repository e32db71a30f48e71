"""Comparison of two index files."""
