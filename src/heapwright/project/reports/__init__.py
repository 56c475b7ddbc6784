"""Reports of a project: for people, for code hosts, for build servers, for tables, and pages for browsers.

May import: project.findings, report, base.
"""
