"""One file per value of ``match_strategy``: its SQL at the head, and one function of the shared signature."""
