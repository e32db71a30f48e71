"""Records to rows: everything a build computes before it writes."""
