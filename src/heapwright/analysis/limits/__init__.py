"""Enforced limits: a task runs in a child process, which is stopped from outside.

May import: result, base.
"""
