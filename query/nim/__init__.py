"""NIM search: finds support cases by Jaccard thresholds, and lists the nearest cases that stay below them.

A unit is one searchable case of the base: a file, or one entry of a file that holds several.
"""
