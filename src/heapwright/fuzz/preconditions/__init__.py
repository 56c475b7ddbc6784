"""Random functions for `infer`, whose preconditions are held against runs from all small heaps.

May import: fuzz.shrink, fuzz.trial, analysis, engines.infer.api.
"""
