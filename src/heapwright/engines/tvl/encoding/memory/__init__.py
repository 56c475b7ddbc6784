"""What is known before the analysis: offsets in blocks, cells, points-to, roles of fields, keys.

May import: predicate_names.
"""
