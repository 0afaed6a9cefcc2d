"""How an iteration looks at the game: external or outcome sampling, each behind the same protocol.

`trainer` makes a sampler; the learned best response uses one by itself.
"""
