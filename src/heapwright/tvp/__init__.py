"""TVLA specifications: TVP programs and TVS structures.

May import: logic, its sub-packages.
"""
