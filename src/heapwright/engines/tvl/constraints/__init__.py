"""Integrity constraints and coerce; integrity filters.

May import: formulas, structures.
"""
