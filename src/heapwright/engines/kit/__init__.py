"""What every engine would otherwise write itself: iteration order, deadlines, garbage collection during an analysis.

May import: engines.api, program, result; no engine.
"""
