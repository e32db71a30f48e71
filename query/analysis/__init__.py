"""What the two halves must agree on to meet in the file: folding, identifiers, codes, versions, the digest.

Standard library only, and click in command.py, so that ``query`` can run from a zip without the tools that built the
index.
"""
