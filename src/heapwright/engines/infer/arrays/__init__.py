"""Preconditions over arrays of integers: the second instantiation of `algorithm`, beside that of heaps.

The individuals are the positions 0..|a| with their order, and elements are under a total preorder.

| module | subject |
|---|---|
| `stores` | concrete stores and the concrete semantics of steps |
| `abstract_arrays`, `inclusion` | segments of positions and the comparison of their elements; coverage |
| `membership` | membership of a store in the concretisation of an abstract array |
| `domain`, `encoding`, `solver` | the operations of the algorithm; formulas; prover and model finder |
| `program_translation`, `command_translation` | a program as steps |
| `negated_assertions` | obligations, and the steps by which they fail |
| `jump_threading` | edges without tests of constants |
| `integer_kinds`, `array_pointers` | index and data variables; pointers as positions |
| `inference` | the analysis of one function |
| `preconditions` | claims, exclusion, selection, and the test on small arrays |

May import: engines.infer, its sub-packages.
"""
