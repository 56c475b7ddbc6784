"""Preconditions by backward analysis, after *Backward Analysis for Inferring Quantified Preconditions* (Lev-Ami, Sagiv,
Reps, Gulwani, 2007).

The states in which a check fails are followed backwards to the entry, as sets that only ever grow: what arrives there
holds every input that may fail, so that its complement is a precondition.

| module | subject |
|---|---|
| `algorithm` | the algorithm of section 3, for any domain: extend, sharpen, focus, project, until nothing changes |
| `rounds`, `needs` | a demand followed back to the inputs, or forwards and back in turn; what an answer is |
| `structure` | 3-valued structures over one pointer field, as elements of such a domain |
| `steps` | what a function does to a heap, one step at a time |
| `situation`, `forward` | what is known of the pointers alone, and the cheap forward analysis that finds it |
| `placing` | whether a structure describes a heap |
| `reading` | which of a program's commands there are, or the reason why the program is out of reach |
| `logic` | structures and commands as formulas; reachability in its decidable, first-order form |
| `closure`, `tracking`, `regions`, `edges` | the ways of telling reachability and what writes make of it |
| `solver`, `cache` | z3 as prover and model finder; its answers, kept for later analyses |
| `elsewhere` | a second prover, where one is installed |
| `domain` | the operations of section 4: focus on the variables that take part, merging of what has no footprint |
| `stepping` | what is known after a step without a proof: the same domain, forwards |
| `initial` | the elements in which a check fails |
| `concrete` | small heaps: all of them, and what happens to them in runs |
| `clauses` | what a precondition may say, in formulas, words and macros |
| `answer` | the weakest conjunction of clauses that excludes all that may fail |
| `inference` | all of it for one function |
| `pictures` | what is shown of an answer |
| `arrays` | the same algorithm over positions and elements of an array |
"""
