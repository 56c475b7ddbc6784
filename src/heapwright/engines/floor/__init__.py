"""The engine `recency`: one fast analysis of whole programs that always ends. Blocks are allocation sites, each as its
most recent block and all older ones (Balakrishnan, Reps 2006); integers are intervals with bounds of differences.
Chapter: docs/engines/recency.md. May import engines.kit, engines.api, result and program.
"""
