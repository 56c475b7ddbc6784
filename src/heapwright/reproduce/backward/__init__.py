"""Preconditions of the programs of *Backward Analysis for Inferring Quantified Preconditions*, found anew."""
