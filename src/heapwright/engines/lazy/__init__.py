"""Predicates and shapes, refined together by counterexamples (Beyer, Henzinger, Théoduloz 2005).

logic/       formulas over integers, pointers and cells; the solver
heap/        points-to facts, available loads, components of the heap and their projections
paths/       path formulas, interpolant sequences, replay of counterexamples
precision/   tracking definitions, shape classes and their vocabularies
art/         the abstract reachability tree, predicate abstraction, shape regions, refinement, the CEGAR loop
states/      membership, pictures and summary of the invariant of a complete tree

May import: its sub-packages.
"""
