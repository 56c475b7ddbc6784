"""Commands as actions: loads and stores, allocation, conditions, input heaps, shapes.

May import: the rest of encoding but states.
"""
