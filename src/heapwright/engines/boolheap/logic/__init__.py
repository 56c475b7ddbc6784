"""Heap formulas: substitution, text, heap commands, weakest preconditions, translation of commands.

May import: program.
"""
