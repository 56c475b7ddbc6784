"""References for the tests: inclusion and membership under strict and loose embedding."""

from __future__ import annotations

from heapwright.engines.tvl.structures.embedding import Values, embeds
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind, loosened
from heapwright.engines.tvl.structures.structure import Signature


def embeds_loosely(signature: Signature, small: Values, big: Values) -> bool:
    """Whether the loose concretisation of one structure includes that of the other."""
    return embeds(signature, small, loosened(signature, big))


def contains(signature: Signature, structure: Values, heap: Values, embedding: EmbeddingKind) -> bool:
    """Whether a 2-valued structure is in the concretisation of a structure."""
    return embeds(signature, heap, structure if embedding == "strict" else loosened(signature, structure))
