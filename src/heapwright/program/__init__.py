"""The program representation: types, expressions, commands, checks, control-flow graph, choices and traces.

May import: nothing in its sub-packages.
"""
