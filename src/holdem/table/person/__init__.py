"""A person in a seat: what they type, and the table that is laid for them.

`holdem play` and the browser table share it.
"""
