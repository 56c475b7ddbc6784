"""TVLA's language: reader and writer, specifications, predicates of a user.

May import: logic, its sub-packages.
"""
