"""Preconditions over one array of integers: the second instantiation of `algorithm`, beside that of heaps.

The individuals are the positions 0..|a| with their order, and elements are under a total preorder.

| module | subject |
|---|---|
| `stores` | concrete stores, and what steps do to them |
| `abstract_arrays` | abstract arrays: nodes of consecutive positions, and how their elements compare |
| `inclusion` | their order |
| `arrays.membership` | whether an abstract array describes a store |
| `domain`, `arrays.solver` | the operations of the algorithm, and z3 as prover and model finder |
| `function_body`, `jump_threading` | where the body of a function begins; its tests without detours |
| `integer_kinds`, `array_pointers` | positions and elements among integers; pointers as positions |
| `arrays.program_translation` | a program as steps |
| `inference` | what may fail, followed back to the inputs |
| `claims`, `exclusion` | what a precondition may say, and proofs that it excludes |
| `claim_selection` | the weakest of them |
| `small_arrays`, `pictures` | all small arrays in runs; what is shown |

May import: engines.infer, its sub-packages.
"""
