"""Formulas rewritten, compiled to Python over bit sets, and evaluated.

May import: structures.
"""
