"""Which concrete heaps an abstract heap describes, and its pictures.

May import: graph, numeric.
"""
