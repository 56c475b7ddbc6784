"""Random C programs, by kind.

May import: fuzz.mutate.
"""
