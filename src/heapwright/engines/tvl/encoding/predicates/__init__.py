"""Families of predicates: reachability, order, sites, activation records, inverse fields.

May import: memory, predicate_names, formulas.
"""
