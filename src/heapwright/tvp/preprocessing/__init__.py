"""Files, tokens and the C-like preprocessor of TVP and TVS files.

May import: tvp.specification.
"""
