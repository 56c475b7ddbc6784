"""The syntax tree and the parsers of programs, formulas and structures.

May import: tvp.preprocessing, tvp.specification.
"""
