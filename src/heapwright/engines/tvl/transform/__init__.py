"""The abstract transformer of an action: updates given, derived and by finite differencing.

May import: focus, constraints, formulas, structures.
"""
