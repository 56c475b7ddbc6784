"""Units: what there is to analyse in a source tree. A unit is a program or a function of a library, with its files.

May import: c, base.
"""
