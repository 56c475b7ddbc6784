"""Linked objects: 3-valued structures as a domain of the algorithm.

| module | subject |
|---|---|
| `structure`, `canonical_abstraction` | 3-valued structures over pointer fields; blur, and their order by embedding |
| `steps`, `program_translation`, `supported_programs` | commands as steps; supported programs |
| `pointer_facts`, `forward_analysis` | facts about pairs of pointers, and the forward analysis that infers them |
| `domain`, `pairs`, `abstract_transformer` | the operations of section 4; post without the prover |
| `negated_assertions` | obligations, and the structures that violate them |
| `membership` | membership of a heap in the concretisation of a structure |
| `inference`, `axiom_replay` | the analysis of one function; its queries decided by first-order axioms |

May import: engines.infer, its sub-packages.
"""
