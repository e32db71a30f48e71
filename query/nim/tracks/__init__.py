"""One file per track type: the rule by which its units are graded."""
