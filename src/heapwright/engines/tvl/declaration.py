"""Capabilities and options of the engine `tvl`."""

from __future__ import annotations

from heapwright.engines.api import Declaration, Option
from heapwright.program.checks import CheckKind


class TvlDeclaration(Declaration):
    name = "tvl"
    proves = frozenset(CheckKind) - {CheckKind.RESOURCE_LEAK}
    draws = True
    reads_certificate = "heapwright.engines.tvl.certificate:StructureReader"
    implementation = "heapwright.engines.tvl.engine:Tvl"
    options = (
        Option(
            "join",
            "word",
            "part",
            "join operator: rel (none: structures up to isomorphism), part (the default: join structures with the same "
            "canonical names), part_embedding (as part, if one embeds in the other), maximal (drop embedded ones)",
            "J",
            ("rel", "part", "part_embedding", "maximal"),
        ),
        Option(
            "embedding",
            "word",
            "strict",
            "a summary node denotes one object or more (strict, the default), any number of objects (loose: fewer "
            "structures), or none only where that makes two structures one (adaptive)",
            "E",
            ("strict", "loose", "adaptive"),
        ),
        Option(
            "predicate-file",
            "path",
            None,
            "add the instrumentation predicates of this file, in TVP syntax",
            "FILE",
            former="predicates",
        ),
        Option(
            "focus",
            "word",
            "formula",
            "materialisation before an update: formula (focus and coerce, the default) or meet (with refining sets)",
            "F",
            ("formula", "meet"),
            former="refine",
        ),
    )
