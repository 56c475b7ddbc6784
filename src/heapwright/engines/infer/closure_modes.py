"""Encodings of reachability for the prover (sections 4.3 and 4.3.1).

`updates`: reachability is a relation under axioms that characterise the closures of acyclic fields; after a write it is
given by an update formula, which is exact on acyclic fields. `regions`: reachability after a write is a relation of its
own, equal to the old one between nodes whose paths avoid the written object. `axioms`: the field is the relation, and
reachability is approximated by first-order axioms, added incrementally, and by the closure on the structure; writes as
with regions.

All three are sound; they differ in the queries that they leave unknown.

>>> Closure("regions") is Closure.REGIONS
True
"""

from __future__ import annotations

from enum import StrEnum


class Closure(StrEnum):
    UPDATES = "updates"
    REGIONS = "regions"
    AXIOMS = "axioms"
