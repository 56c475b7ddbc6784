"""Reports of a project: for people, for code hosts, for build servers, for tables.

May import: project.findings, report, base.
"""
