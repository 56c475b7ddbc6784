"""Storage: variables and their names, scopes, lvalues, loads and stores of lvalues, and temporaries.

Nothing here evaluates a C expression. May import: c.lower.graph_builder, c.lower.prepass.
"""
