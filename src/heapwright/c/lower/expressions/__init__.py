"""Expressions: rvalues, lvalues, assignments, conversions, conditions, initialisers.

May import: c.lower.graph_builder, c.lower.prepass.
"""
