"""The analyzer: what index time and query time must do alike, or nothing that was indexed would be found.

Also two rules that both halves share: how a unit is referred to, and that an option of one value is given once.
Imports only the standard library and click, so that the query half runs without the tools that build an index.
"""
