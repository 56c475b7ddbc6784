"""Focus, its cache, and refining sets: formulas of an action become definite.

May import: constraints, formulas, structures.
"""
