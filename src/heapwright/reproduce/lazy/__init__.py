"""Beyer, Henzinger and Théoduloz 2005: Table 1."""
