"""Aliases, available loads, components of the heap and the programs that they see.

May import: logic, tvl.
"""
