"""One run with its files: start, the loop, checkpoints, the folder and its lock, telemetry, estimates.

The command line, `solver`, `parallel_solver` and instances start runs with `start.train`.
"""
