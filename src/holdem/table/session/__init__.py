"""A session at a table: the local table, autoplay, dry runs, ACPC matches, limits and leaving.

The command line and the server run sessions.
"""
