"""Knowledge bases in, one SQLite file out. The only package that writes."""
