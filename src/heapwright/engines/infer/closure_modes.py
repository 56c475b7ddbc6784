"""The ways in which what a field reaches is told to a prover, and which of them is asked for.

`updates`: reachability is a relation under axioms that hold of the closures of acyclic fields and of nothing else; what
a write makes of it is a formula over reachability before, exact on acyclic fields. `regions`: reachability after a
write is a relation of its own, known to be as before between nodes whose paths avoid what is written. `axioms`: the
field is the relation, and of reachability no more is said than a few axioms of first order, given one after the other,
and what can be seen on the structure; writes as with regions.

The first two are those of section 4.3.1 of the paper, the last is that of section 4.3. All three are sound: what a
prover shows with any of them is true of heaps. They differ in how much it can show.

>>> Closure("regions") is Closure.REGIONS
True
"""

from __future__ import annotations

from enum import StrEnum


class Closure(StrEnum):
    UPDATES = "updates"
    REGIONS = "regions"
    AXIOMS = "axioms"
