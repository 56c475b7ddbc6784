"""Entailment by z3, countermodels, implicants, and the cache of answers.

May import: domain, concrete, logic, smt.
"""
