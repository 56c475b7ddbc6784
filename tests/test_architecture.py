"""What the import contracts cannot say: certificates are checked without the engines that wrote them."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import chain

import pytest

from heapwright.engines import ENGINES, declaration_of

# What computes, for each engine, what a command does to a state, and what drives it.
TRANSFORMERS = {
    "explore": ["explore.engine", "explore.certificate"],
    "tvl": [
        f"tvl.{name}"
        for name in (
            "structures.abstraction_cache",
            "fixpoint",
            "constraints.coerce",
            "transform.derived_updates",
            "transform.finite_differencing",
            "focus.focus",
            "focus.focus_cache",
            "structures.join",
        )
    ]
    + [
        "tvl.structures.meet",
        "tvl.focus.strategies",
        "tvl.focus.refining_sets",
        "tvl.transform.transformer",
        "tvl.encoding.actions.commands",
        "tvl.engine",
    ],
    "fesa": [
        f"fesa.{name}"
        for name in (
            "fixpoint",
            "transfer.conditions",
            "engine",
            "transfer.dereference",
            "graph.reduction",
            "transfer.commands",
            "graph.widening",
        )
    ],
    "lazy": [
        f"lazy.{name}"
        for name in (
            "art.predicate_abstraction",
            "precision.shape_classes",
            "paths.coarse_semantics",
            "engine",
            "paths.path_formula",
            "art.cegar_loop",
            "paths.command_semantics",
            "art.shape_regions",
            "logic.solver",
        )
    ],
    "boolheap": [
        f"boolheap.{name}"
        for name in (
            "precomputation.abstraction_phase",
            "fixpoint",
            "prover.implicants",
            "engine",
            "heap_program",
            "logic.command_translation",
            "abstraction.obligations",
        )
    ]
    + ["boolheap.abstraction.cartesian_post", "boolheap.logic.weakest_preconditions", "boolheap.prover.entailment"],
}
LOADED = """
import json, sys
import heapwright.proof.certificate, heapwright.proof.verify
from heapwright.engines import load_reader
load_reader(sys.argv[1])
print(json.dumps([name for name in sys.modules if name.startswith("heapwright.")]))
"""


@pytest.mark.parametrize("engine", [name for name in ENGINES if declaration_of(name).reads_certificate])
def test_checking_certificates_loads_no_transformer(engine: str) -> None:
    """Of any engine: a new interpreter shows all that is loaded, also what is imported inside of functions."""
    done = subprocess.run([sys.executable, "-c", LOADED, engine], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("heapwright.engines.") for name in json.loads(done.stdout)}
    assert any(name.endswith(".certificate") for name in loaded)
    for transformers in TRANSFORMERS.values():
        assert loaded.isdisjoint(transformers)


def test_transformers_have_these_names() -> None:
    """A module that is renamed must not slip through."""
    import grimp

    modules = grimp.build_graph("heapwright").modules
    assert {name for name in ENGINES if declaration_of(name).reads_certificate} <= TRANSFORMERS.keys() <= ENGINES.keys()
    for name in chain(*TRANSFORMERS.values()):
        assert f"heapwright.engines.{name}" in modules, name
