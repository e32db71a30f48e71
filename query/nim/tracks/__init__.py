"""One file per track type: the rule by which its units are graded, and the block in which they print."""
