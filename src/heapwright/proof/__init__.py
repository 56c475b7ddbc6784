"""Certificates: what a proof rests on, written down, and checked by the interpreter. `verify` has the idea.

May import: engines, result, program.
"""
