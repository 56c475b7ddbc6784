"""Siegel and Simon 2012: Tables 1 and 2, Figures 1, 6 and 7."""
