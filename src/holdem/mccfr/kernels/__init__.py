"""Compiled functions over arrays, and every constant and array type that they compile in.

The rooms of `mccfr` call them.
"""
