"""Fuzzing: random programs and mutants against engines, and the interpreter against a compiler.

May import: analysis, witness, engines, c, program.
"""
