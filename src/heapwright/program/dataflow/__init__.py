"""Dataflow analyses of a program: live variables, dead ends, tracked integers, relevant inputs.

May import: program.
"""
