"""Loose embedding (Arnold, section 5): a summary node may also denote no individual.

A list of one node is then a special case of "one node, and any number of others": locations keep about half as many
structures. If nodes may be missing, then what lies on both sides of them may be connected: every binary predicate is
read as `p | (1/2 & a path of p through summary nodes)`.

Structures of this domain are kept *loosened*: each summary node has `ac` = 1/2 (it may be absent), and the pairs that a
path through summary nodes connects are 1/2 where they were 0. A loosened structure has the usual concretisation of a
structure with `ac`, so that embedding, membership, evaluation, focus, coerce and meet are the strict ones, and sound
for the reasons for which those are. What has to be shown is only that loosening goes up and respects the order:
embeddings map summary nodes to summary nodes, and so paths through them to such paths. The definition as printed
considers only paths through nodes that one map leaves out, and is not transitive; blur, which merges a node of such a
path with one that is met, is then not above its argument.

>>> from heapwright.engines.tvl.structures.structure import Draft
>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("n", 2),)))
>>> draft = Draft.empty(signature, 3)                 # 0 -> 1 -> 2, and 1 is a summary
>>> draft.may[SUMMARY] = 0b010
>>> draft.may[4] = draft.must[4] = 0b000_100_010
>>> loose = loosened(signature, draft.freeze())
>>> loose.value(4, 0, 2).value, loose.value(ACTIVE, 1).value
('1/2', '1/2')
"""

from __future__ import annotations

from typing import Literal

from heapwright.engines.tvl.structures.bit_sets import Layouts
from heapwright.engines.tvl.structures.embedding import Values
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Signature, Structure

EmbeddingKind = Literal["strict", "loose", "adaptive"]


def loosened(signature: Signature, structure: Values, layouts: Layouts | None = None) -> Structure:
    """The least structure above this one in which every summary node may be absent."""
    may, must = list(structure.may), list(structure.must)
    summaries = may[SUMMARY]
    if summaries:
        must[ACTIVE] &= ~summaries
        closed = (layouts or Layouts()).of(structure.n).closed
        for p in signature.binary:
            if may[p]:
                may[p] = closed[may[p], summaries]
    return Structure(structure.n, tuple(may), tuple(must))
