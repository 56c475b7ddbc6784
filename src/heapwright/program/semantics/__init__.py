"""Concrete semantics: state, memory model, accesses, input heaps, leaks, shape predicates, the transition of each
command.

May import: program, program.dataflow.
"""
