"""Programs of library calls against a compiler: what they print, and where they fail.

`programs` writes them, `campaign` runs each one by the interpreter and as gcc's sanitizers see it. Imports `c` and
`program`, and what it shares with the other comparisons: `fuzz/differential.py`.
"""
