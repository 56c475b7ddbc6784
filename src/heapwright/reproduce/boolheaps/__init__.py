"""Podelski and Wies 2005, *Boolean Heaps*: Figures 1 and 2 and the example of section 5, computed from commands and
predicates; and a table of list and tree programs, which the paper does not have."""
