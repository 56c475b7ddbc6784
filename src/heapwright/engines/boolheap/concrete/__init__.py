"""Concrete heaps on which formulas are evaluated: small ones, heaps of runs, samples.

May import: logic.
"""
