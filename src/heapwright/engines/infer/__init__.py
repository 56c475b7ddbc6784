"""Preconditions by backward analysis, after *Backward Analysis for Inferring Quantified Preconditions* (Lev-Ami, Sagiv,
Reps, Gulwani, 2007).

The states in which an obligation fails are propagated backwards to the entry, as sets that only grow. The abstract
inputs at the entry contain every failing input, so that their complement is a sufficient precondition.

| module | subject |
|---|---|
| `algorithm` | the algorithm of section 3, for any domain: extend, sharpen, focus, project, until the fixpoint |
| `obligation_analysis` | backward analysis of one obligation, optionally alternating with a forward analysis |
| `precondition` | sufficient preconditions of obligations, for any domain |
| `input_runs` | all runs of the interpreter from one input |
| `function_body` | the prologue of a function, and the edges of its body |
| `closure_modes` | encodings of reachability for the prover |
| `query_cache`, `external_prover` | persistent query cache; an SMT-LIB prover beside z3 |
| `heaps` | linked objects: 3-valued structures as a domain |
| `arrays` | arrays of integers: segments as a domain |

May import: no sub-package.
"""
