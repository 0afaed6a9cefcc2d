"""Who sits at a table and under which rules, from a JSON file, and how such a table is opened.

Every verb that plays or watches loads a profile here.
"""
