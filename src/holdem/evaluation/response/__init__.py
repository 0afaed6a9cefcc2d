"""What somebody who answers a strategy well wins from it: exactly, learned, locally or on sampled boards.

`exact` is for small games; `local` and `sampled` have rooms of their own.
"""
