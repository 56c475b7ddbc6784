"""What is tracked of a component: shape types, vocabularies of `tvl`, first guesses.

May import: heap, logic, tvl.
"""
