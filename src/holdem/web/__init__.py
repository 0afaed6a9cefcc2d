"""One small server: a table to play at, a strategy browser, a training dashboard."""
