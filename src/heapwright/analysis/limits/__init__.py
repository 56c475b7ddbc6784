"""Limits that hold: work is done in a process of its own, which is stopped from outside.

May import: result, base.
"""
