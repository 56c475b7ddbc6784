"""Declarations, formulas and actions with all names resolved.

May import: tvp.syntax, tvp.specification.
"""
