"""The readers: one knowledge base in, records and findings out."""
