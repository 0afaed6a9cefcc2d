"""A person at a table in a browser: sessions and their threads, messages out, answers in."""
