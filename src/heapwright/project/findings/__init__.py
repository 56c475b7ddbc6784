"""Findings: the checks of all units under names that survive changes, merged, and compared with a baseline.

May import: project.store, project.units, analysis, report, settings, result, program, base.
"""
