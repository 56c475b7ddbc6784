"""Errors for users, source spans, immutable values, output files.

May import: nothing.
"""
