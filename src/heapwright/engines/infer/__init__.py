"""Preconditions by backward analysis, after *Backward Analysis for Inferring Quantified Preconditions* (Lev-Ami, Sagiv,
Reps, Gulwani, 2007).

The states in which a check fails are followed backwards to the entry, as sets that only ever grow: what arrives there
holds every input that may fail, so that its complement is a precondition.

| module | subject |
|---|---|
| `algorithm` | the algorithm of section 3, for any domain: extend, sharpen, focus, project, until nothing changes |
| `obligation_analysis` | a demand followed back to the inputs, or forwards and back in turn |
| `precondition` | what an answer is |
| `structure` | 3-valued structures over one pointer field, as elements of such a domain |
| `steps` | what a function does to a heap, one step at a time |
| `pointer_facts`, `forward_analysis` | what is known of the pointers alone, and the forward analysis that finds it |
| `heaps.membership` | whether a structure describes a heap |
| `heaps.program_translation` | which of a program's commands there are, or the reason why the program is out of reach |
| `encoding` | structures and commands as formulas; reachability in its decidable, first-order form |
| `closure_modes`, `edge_axioms` | the ways of telling reachability |
| `reachability_updates`, `unchanged_regions` | what writes make of it |
| `solver`, `query_cache` | z3 as prover and model finder; its answers, kept for later analyses |
| `external_prover` | a second prover, where one is installed |
| `domain` | the operations of section 4: focus on the variables that take part, merging of what has no footprint |
| `abstract_transformer` | what is known after a step without a proof: the same domain, forwards |
| `negated_assertions` | the elements in which a check fails |
| `small_heaps` | small heaps: all of them, and what happens to them in runs |
| `clauses` | what a precondition may say, in formulas, words and macros |
| `clause_selection` | the weakest conjunction of clauses that excludes all that may fail |
| `inference` | all of it for one function |
| `pictures` | what is shown of an answer |
| `arrays` | the same algorithm over positions and elements of an array |

May import: no sub-package.
"""
