"""Certificates: invariants as data, checked by the interpreter (`verify` explains how); audits of engines.

May import: engines, result, program.
"""
