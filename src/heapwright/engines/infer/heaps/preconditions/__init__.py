"""The precondition: clauses and their selection, small heaps that judge it, pictures.

May import: inference, prover, domain, engines.infer.
"""
