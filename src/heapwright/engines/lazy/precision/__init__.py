"""Tracking definitions of components: shape types, vocabularies of `tvl`, initial shapes.

May import: heap, logic, tvl.
"""
