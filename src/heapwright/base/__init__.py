"""Errors for users, source spans, immutable values.

May import: nothing.
"""
