"""Reports: one `Report`, written for people (console), machines (JSON, SARIF) and eyes (pictures).

May import: settings, result, program; no engine.
"""
