"""What an engine answers: verdicts, outcomes, assumptions.

May import: program, base.
"""
