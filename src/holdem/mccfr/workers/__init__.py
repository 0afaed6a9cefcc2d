"""Many processes on one table in shared memory: the crew, what a worker does, how they are told and replaced.

`run.start` opens the engine of this room in place of the one of one process.
"""
