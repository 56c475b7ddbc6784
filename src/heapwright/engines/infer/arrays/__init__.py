"""Preconditions over one array of integers: the second instantiation of `algorithm`, beside that of heaps.

The individuals are the positions 0..|a| with their order, and elements are under a total preorder.

| module | subject |
|---|---|
| `store` | concrete stores, and what steps do to them |
| `segments` | abstract arrays: nodes of consecutive positions, and how their elements compare |
| `covering` | their order |
| `placing` | whether an abstract array describes a store |
| `domain`, `prover` | the operations of the algorithm, and z3 as prover and model finder |
| `entry`, `threading` | where the body of a function begins; its tests without detours |
| `kinds`, `pointers`, `reading` | positions and elements among integers; pointers as positions; a program as steps |
| `inference` | what may fail, followed back to the inputs |
| `claims`, `excluding`, `answer` | what a precondition may say, proofs that it excludes, and the weakest of them |
| `concrete`, `pictures` | all small arrays in runs; what is shown |
"""
