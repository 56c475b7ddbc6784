"""Errors for users, places in source files, immutable values.

May import: nothing.
"""
