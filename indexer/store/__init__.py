"""The index file: written, published, and reused by the next build."""
