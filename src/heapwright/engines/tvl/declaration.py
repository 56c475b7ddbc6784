"""Capabilities and options of the engine `tvl`."""

from __future__ import annotations

from heapwright.engines.api import Declaration, Option
from heapwright.program.checks import CheckKind


class TvlDeclaration(Declaration):
    name = "tvl"
    proves = frozenset(CheckKind)
    draws = True
    reads_certificate = "heapwright.engines.tvl.certificate:Read"
    implementation = "heapwright.engines.tvl.engine:Tvl"
    options = (
        Option(
            "join",
            "word",
            "part",
            "structures that are kept as one: rel (equal ones), part (of the same universe), part_embedding, maximal",
            "J",
            ("rel", "part", "part_embedding", "maximal"),
        ),
        Option(
            "embedding",
            "word",
            "strict",
            "a summary node stands for one object or more (strict), or possibly for none (loose: fewer structures)",
            "E",
            ("strict", "loose"),
        ),
        Option(
            "predicates",
            "path",
            None,
            "add the predicates of this file, written as in TVP (show: print those there are, and stop)",
            "FILE",
        ),
        Option(
            "refine",
            "word",
            "formula",
            "how structures are made definite before an update: formula (focus and coerce) or meet (with sets of "
            "structures)",
            "R",
            ("formula", "meet"),
        ),
    )
