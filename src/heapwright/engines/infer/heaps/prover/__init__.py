"""Structures and steps as z3 formulas, and the ways to tell reachability.

May import: domain and what is below it, engines.infer, smt.
"""
