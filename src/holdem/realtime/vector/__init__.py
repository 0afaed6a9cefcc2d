"""A heads-up street for search: a subgame solver with the roots and leaves that a blueprint gives it.

`search.street_resolver` builds one for each request of two players.
"""
