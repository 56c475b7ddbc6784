"""Memory before the analysis: offsets in blocks, cells, points-to analysis, roles of fields, keys.

May import: predicate_names.
"""
