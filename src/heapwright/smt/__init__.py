"""SMT solvers: terms, sessions with z3, models, and the persistent query cache. No other room imports z3.

Each engine has axioms and a policy for unknown answers of its own. `query_cache` and `statistics` do not load z3.

May import: base, logic.
"""
