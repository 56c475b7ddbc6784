"""3-valued structures: canonical abstraction, embedding, join, meet, isomorphism.

May import: logic, engines.kit.
"""
