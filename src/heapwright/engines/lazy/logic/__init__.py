"""Formulas over integers, pointers and cells; substitution, serialization, the solver.

May import: program, smt.
"""
