"""From the real game to one that can be solved: bet sizes become a betting tree, hands become buckets."""
