"""Search at the table: ranges of all seats, the time budget, what is solved, workers, and the agent.

`search_controller` and `parallel_resolver`, one floor up, are the front of this room.
"""
