"""Reports: one `Report`, rendered as text, JSON, SARIF and pictures.

May import: settings, result, program; no engine.
"""
