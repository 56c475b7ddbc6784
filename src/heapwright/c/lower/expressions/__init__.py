"""Expressions: rvalues, expressions that denote lvalues, assignments, conversions, conditions, initialisers.

May import: c.lower.context, c.lower.interfaces, c.lower.storage, c.lower.prepass.
"""
