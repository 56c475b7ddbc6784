"""The store: answers by the digest of everything that they depend on, in one SQLite file per source tree.

May import: project.units, c, base.
"""
