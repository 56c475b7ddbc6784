"""Results of an engine: verdicts, outcomes, assumptions.

May import: program, base.
"""
