"""Bounded exhaustive search with the interpreter.

May import: engines.kit.
"""
