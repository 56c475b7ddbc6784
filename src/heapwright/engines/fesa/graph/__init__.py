"""Abstract heaps: order and join, summaries, widening, reduction.

May import: numeric.
"""
