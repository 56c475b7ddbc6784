"""What commands do to abstract heaps: cells, conditions, dereferences, input heaps.

May import: graph, numeric.
"""
