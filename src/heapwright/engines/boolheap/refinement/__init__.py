"""The CEGAR loop: counterexamples replayed, predicates discovered from weakest preconditions.

May import: fixpoint and what is below it.
"""
