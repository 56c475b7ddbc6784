"""The interpreter and what is made of it: successors, state spaces, sample runs, canonical forms, snapshots.

May import: all of program.
"""
