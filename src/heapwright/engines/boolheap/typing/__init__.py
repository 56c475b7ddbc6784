"""Which types of objects pointers lead to, and the program as the engine follows it, with those types.

May import: program.
"""
