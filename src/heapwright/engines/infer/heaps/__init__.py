"""Linked objects: 3-valued structures as a domain of the algorithm.

May import: engines.infer, its sub-packages.
"""
