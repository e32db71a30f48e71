"""The index file: written, published, and read again by the next build."""
