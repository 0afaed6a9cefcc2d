"""Compiled helpers for kernels of all layers: atomic additions and random numbers."""
