"""Abstract transformers of commands: cells, conditions, dereferences, input heaps.

May import: graph, numeric.
"""
