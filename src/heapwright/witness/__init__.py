"""Witnesses: executable C tests, their confirmation by sanitizers, and SV-COMP witnesses.

May import: result, program; no engine.
"""
