"""The precondition: claims, their selection, exclusion, small arrays that judge it, pictures.

May import: inference, solver, domain, engines.infer.
"""
