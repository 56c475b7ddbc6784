"""Runs explained to people: which steps matter, why a check failed, pictures of states.

May import: program, program.semantics, program.dataflow.
"""
