"""The 3-valued-logic engine: canonical abstraction, focus, coerce, and exact updates of derived predicates.

May import: its sub-packages.
"""
