"""Running units: each in a process of its own, on the cores of this machine or on the workers of a cluster.

May import: project.findings, project.store, project.units, analysis, c, base.
"""
