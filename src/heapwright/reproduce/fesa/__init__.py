"""Siegel and Simon 2012: Tables 1 and 2."""
