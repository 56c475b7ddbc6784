"""Preconditions of the programs of *Backward Analysis for Inferring Quantified Preconditions*, inferred again."""
