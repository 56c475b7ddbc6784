"""Preconditions by backward analysis, after *Backward Analysis for Inferring Quantified Preconditions* (Lev-Ami, Sagiv,
Reps, Gulwani, 2007).

The states in which a check fails are followed backwards to the entry, as sets that only ever grow: what arrives there
holds every input that may fail, so that its complement is a precondition.

| module | subject |
|---|---|
| `algorithm` | the algorithm of section 3, for any domain: extend, sharpen, focus, project, until nothing changes |
| `structure` | 3-valued structures over one pointer field, as elements of such a domain |
| `reading` | which of a program's commands there are, or the reason why the program is out of reach |
| `logic` | structures and commands as formulas; reachability in its decidable, first-order form |
| `solver` | z3 as prover and model finder |
| `domain` | the operations of section 4: focus on the variables that take part, merging of what has no footprint |
| `initial` | the elements in which a check fails |
| `concrete` | small heaps: all of them, whether one is described by an element, what happens to it in a run |
| `clauses` | what a precondition may say, in formulas, words and macros |
| `answer` | the weakest conjunction of clauses that excludes all that may fail |
| `inference` | all of it for one function |
"""
