"""Explanation of runs: relevant steps, reasons of failed checks, pictures of states.

May import: program, program.semantics, program.dataflow.
"""
