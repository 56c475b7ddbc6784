"""From files to a result: pipeline, schedule of engines, replay of abstract counterexamples, supervision.

May import: engines, settings, c, tvp, result.
"""
