"""Tests that ship with the package: C programs whose truth stands in their comments, and the conformance suite, which
every engine must pass. May import every room; pytest is imported here alone.
"""
