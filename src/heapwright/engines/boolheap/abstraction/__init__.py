"""The Cartesian post of a step and its obligations; best under-approximations.

May import: prover, domain, concrete, logic.
"""
