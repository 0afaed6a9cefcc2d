"""One node of a solved subgame: the path to it, what is shown of it, locking it, its picture.

`holdem solve` and the pages ask for nodes here.
"""
