"""What every engine would otherwise write itself: iteration order, deadlines, garbage collection during an analysis,
outcomes, statistics, conjunction of invariants, certificate readers.

May import: engines.api, program, result; no engine.
"""
