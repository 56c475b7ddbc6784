"""Reports for people: console, source excerpts, runs, heaps, colours.

May import: report.messages, report.model, report.views.
"""
