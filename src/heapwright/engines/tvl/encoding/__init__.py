"""C programs for the 3-valued engine: a vocabulary chosen from the program, and its commands as actions.

A node is a block with all its parts; memory/offsets.py describes the offsets of pointers in it. Null is the absence of
an arrow. Junk is a flag: nullary for a variable, unary for a field. Acyclicity and sharing are predicates with exact
updates, never constraints, since a C program may violate them.

May import: engines.tvl.fixpoint and what is below it.
"""
