"""Calls: inlining, activation records, library functions, allocation.

May import: c.lower.statements, c.lower.scopes, c.lower.expressions, c.lower.prepass.
"""
