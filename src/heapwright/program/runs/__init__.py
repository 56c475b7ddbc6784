"""The interpreter, and analyses built on it: successors, state spaces, sample runs, canonical forms, snapshots.

May import: all of program.
"""
