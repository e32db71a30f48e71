"""Reader of the NIM case base."""
