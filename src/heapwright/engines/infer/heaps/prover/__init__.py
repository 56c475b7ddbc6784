"""Structures and steps as z3 formulas, and the encodings of reachability.

May import: domain and what is below it, engines.infer, smt.
"""
