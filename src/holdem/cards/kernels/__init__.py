"""Compiled functions over arrays, and every constant and array type that they compile in.

The rooms of `cards` call them. Later layers use them inside kernels of their own.
"""
