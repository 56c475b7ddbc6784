"""What engines share of SMT solvers: so far the persistent query cache.

May import: base, logic.
"""
