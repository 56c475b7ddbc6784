"""Concrete heaps beside structures: membership, pictures, abstract counterexamples, the meaning of predicates.

May import: the rest of encoding but actions; fixpoint, formulas, structures.
"""
