"""The program representation that front ends produce and engines consume, and its concrete semantics.

May import: nothing in its sub-packages.
"""
