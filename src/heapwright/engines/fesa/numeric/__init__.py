"""Sets of 0/1-vectors over named flags, in several representations behind one interface.

May import: base.
"""
