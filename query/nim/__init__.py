"""NIM search: earlier cases like the one described, by Jaccard thresholds, and the nearest ones when none qualifies."""
