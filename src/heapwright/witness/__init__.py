"""Witnesses of violations: C tests, sanitizer runs, SV-COMP witnesses.

May import: result, program; no engine.
"""
