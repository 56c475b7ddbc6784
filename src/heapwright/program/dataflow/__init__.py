"""Dataflow facts of a program: liveness, dead ends, integers worth tracking, inputs that matter.

May import: program.
"""
