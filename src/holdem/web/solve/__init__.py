"""Spots that people solve in a browser: a worker process for each page, what it answers, files, ranges of lines."""
