"""Predicates and shapes, refined together by counterexamples (Beyer, Henzinger, Théoduloz 2005).

terms        formulas over integers, pointers and cells          solver       z3 behind a small interface
integers     C's integer expressions as terms                    aliases      where pointers may point, components
semantics    a command as assignments and assumptions            loads        variables that still equal a cell
paths        path formulas, with and without the heap            lvalues      path formulas by lvalue constants
interpolants sequences along an infeasible path                  abstraction  regions of predicates
tracking     what is tracked of a component, shape types         projection   the program that a component sees
shapes       regions of structures                               tree         abstract reachability tree, covering
refinement   what a refuted path adds to the precision           replay       a feasible path, run
search       the loop of all this                                audit        a finished tree, looked at again
guess        the first shape type, from concrete heaps           coarse       programs whose cells are not followed
classes      shape classes: vocabularies of tvl, and actions     substitution formulas anew, with other leaves
membership   whether a concrete heap is described by a tree      parts        the part of a heap that a component is
facts        what is known before a tree is built                vocabulary   what a tracking definition stands for
certificate  a finished tree as plain data, read back            written      literals as plain data
coarse_aliases aliases and loads of such programs                representatives numbers worth a try
pictures     what a finished tree knows, drawn                   proof        a finished tree, to look at
explicit     small heaps one by one, before all this             engine       what all this answers

May import: its sub-packages.
"""
