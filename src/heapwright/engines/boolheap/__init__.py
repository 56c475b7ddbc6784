"""Boolean heaps (Podelski, Wies 2005): engine, certificate, heap program, fixpoint, programs as text.

May import: its sub-packages.
"""
