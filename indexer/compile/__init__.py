"""Compiles records into rows: everything that a build computes before it writes."""
