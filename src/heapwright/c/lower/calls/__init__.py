"""Calls: inlining, shared bodies with activation records, library functions, allocation, inputs.

May import: c.lower.statements, c.lower.expressions, c.lower.storage, c.lower.prepass.
"""
