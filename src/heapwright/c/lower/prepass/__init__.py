"""Passes over the whole program before lowering: linking, call graph, specialization, addresses taken, object layout.

May import: c.ast, c.library_models.
"""
