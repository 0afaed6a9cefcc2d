"""Reading and writing files that may be damaged or hostile: plain pickles, `.npy`, JSON, checked fields, locks.

`util.artifacts` is the front of this room for pickles; everybody who opens a file calls it.
"""
