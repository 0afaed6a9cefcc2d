"""Several independent solvers at once: their plan, processes or Ray actors, progress, and merging of their tables.

`holdem train --num-instances`, `--cluster` and `holdem merge` call it; each instance is an ordinary run.
"""
