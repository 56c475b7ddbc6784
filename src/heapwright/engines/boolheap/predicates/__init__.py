"""Predicates that a program suggests, repeated loads, ghost predicates of a user.

May import: logic.
"""
