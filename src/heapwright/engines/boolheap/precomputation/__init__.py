"""Rules found before the fixpoint: the abstraction phase, updates as a whole.

May import: invariant, fixpoint and what is below it.
"""
