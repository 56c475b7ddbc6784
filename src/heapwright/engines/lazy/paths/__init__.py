"""Path formulas, interpolants and replay of paths.

May import: heap, logic.
"""
