"""Public interface of the engine `tvl`, by concept; other rooms import nothing else of it.

| concept | names |
|---|---|
| the vocabulary of a program | `HeapVocabulary`, families of predicates (`Family`, `Data`, `on_new_node`), `meaning` |
| pointers that are kept for a time | `AvailableLoads` (available loads), `coalesced_with_names` (variable coalescing) |
| 3-valued structures | `Signature`, `Structure`, `embeds`; as data: `written_structure`, `read_structure` |
| commands on structures | `CommandTransformers`, `SharedTransformers`, `CONFUSED` |
| concrete heaps beside structures | `Concrete`, `View`, `Membership`, `HeapEncoder`, `PointsToFilter`, `fields_named` |
| pictures | `ProgramPictures`; without a program `captions_of`, `drawn` |
| specifications | `run`, `Options`, `TvlOutcome`, `RefiningSets`, `write_structure`, kinds of join and so on |

A name is imported when it is used, so that a reader of certificates loads no transformer and a specification nothing of
C programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heapwright.engines.kit.deferred_names import deferred

if TYPE_CHECKING:
    from heapwright.engines.tvl.certificate import read_structure, written_structure
    from heapwright.engines.tvl.encoding.actions.command_transformers import CommandTransformers, SharedTransformers
    from heapwright.engines.tvl.encoding.actions.loads_and_stores import CONFUSED
    from heapwright.engines.tvl.encoding.available_loads import AvailableLoads
    from heapwright.engines.tvl.encoding.predicates.family import Data, Family, on_new_node
    from heapwright.engines.tvl.encoding.states.concrete_heaps import Concrete, View
    from heapwright.engines.tvl.encoding.states.heap_encoder import HeapEncoder
    from heapwright.engines.tvl.encoding.states.membership import Membership
    from heapwright.engines.tvl.encoding.states.points_to_filter import PointsToFilter, fields_named
    from heapwright.engines.tvl.encoding.states.predicate_glossary import meaning
    from heapwright.engines.tvl.encoding.states.program_pictures import ProgramPictures
    from heapwright.engines.tvl.encoding.variable_coalescing import coalesced_with_names
    from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
    from heapwright.engines.tvl.fixpoint import Options, TvlOutcome, run
    from heapwright.engines.tvl.focus.refining_sets import RefiningSets
    from heapwright.engines.tvl.focus.strategies import REFINEMENTS, RefineKind
    from heapwright.engines.tvl.structure_conversion import write_structure
    from heapwright.engines.tvl.structure_pictures import captions_of, drawn
    from heapwright.engines.tvl.structures.embedding import embeds
    from heapwright.engines.tvl.structures.join import JoinKind, Partial
    from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind
    from heapwright.engines.tvl.structures.structure import Signature, Structure
else:
    __getattr__ = deferred(
        __name__,
        {
            "certificate": ("read_structure", "written_structure"),
            "encoding.actions.command_transformers": ("CommandTransformers", "SharedTransformers"),
            "encoding.actions.loads_and_stores": ("CONFUSED",),
            "encoding.available_loads": ("AvailableLoads",),
            "encoding.predicates.family": ("Data", "Family", "on_new_node"),
            "encoding.states.concrete_heaps": ("Concrete", "View"),
            "encoding.states.heap_encoder": ("HeapEncoder",),
            "encoding.states.membership": ("Membership",),
            "encoding.states.points_to_filter": ("PointsToFilter", "fields_named"),
            "encoding.states.predicate_glossary": ("meaning",),
            "encoding.states.program_pictures": ("ProgramPictures",),
            "encoding.variable_coalescing": ("coalesced_with_names",),
            "encoding.vocabulary": ("HeapVocabulary",),
            "fixpoint": ("Options", "TvlOutcome", "run"),
            "focus.refining_sets": ("RefiningSets",),
            "focus.strategies": ("REFINEMENTS", "RefineKind"),
            "structure_conversion": ("write_structure",),
            "structure_pictures": ("captions_of", "drawn"),
            "structures.embedding": ("embeds",),
            "structures.join": ("JoinKind", "Partial"),
            "structures.loose_embedding": ("EmbeddingKind",),
            "structures.structure": ("Signature", "Structure"),
        },
    )


def kernel_kind() -> str:
    """Whether structures are plain Python or compiled."""
    from heapwright.engines.tvl.structures import structure

    return "plain" if structure.__file__.endswith(".py") else "compiled"
