"""The abstract reachability tree, its regions, and the CEGAR loop over it.

May import: precision, paths, heap, logic, tvl.
"""
