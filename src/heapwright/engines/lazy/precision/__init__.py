"""Tracking definitions of components: shape types, vocabularies of `tvl`, which location has which.

May import: heap, logic, tvl.
"""
