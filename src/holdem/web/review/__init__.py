"""Hands again: files by name or brought by a page, replay on the table, and review beside the bot."""
