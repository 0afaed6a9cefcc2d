"""A heads-up street for search: a subgame solver with the roots of a real hand.

`search.street_resolver` builds one for each request of two players.
"""
