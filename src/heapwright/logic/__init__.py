"""First-order logic with transitive closure: formulas, vocabularies, and actions that update logical structures.

May import: base.
"""
