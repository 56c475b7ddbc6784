"""Shared code of engines: the fixpoint over a graph, its worklist and iteration orders, deadlines, outcomes,
statistics, conjunction of invariants, the base class of certificate readers.

May import: engines.api, program, result; no engine.
"""
