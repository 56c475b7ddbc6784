"""The engine `fesa`: one points-to graph and one Boolean function, with fold and expand (Siegel and Simon, 2012).

May import: its sub-packages.
"""
