"""Concretisation of abstract heaps: membership of concrete heaps, and pictures.

May import: graph, numeric.
"""
