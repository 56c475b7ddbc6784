"""The invariant of a complete tree: membership of concrete heaps, pictures, the proof summary.

May import: art and what is below it.
"""
