"""Boolean heaps as sets of ternary vectors over predicates, and membership in them.

May import: concrete, logic.
"""
