"""What the import contract cannot say: engines do not know one another, and certificates are checked without them."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import chain

import pytest

from heapwright.engines import ENGINES, READERS

# What computes, for each engine, what a command does to a state, and what drives it.
TRANSFORMERS = {
    "explore": ["explore", "explore_certificate"],
    "tvl": [
        f"tvl.{name}"
        for name in ("abstraction", "analysis", "coerce", "derivation", "differencing", "focus", "focusing", "join")
    ]
    + ["tvl.meet", "tvl.refine", "tvl.refining", "tvl.transformer", "tvl.programs.commands", "tvl.programs.engine"],
    "fesa": [
        f"fesa.{name}"
        for name in ("analysis", "conditions", "engine", "following", "reduction", "transfer", "widening")
    ],
    "lazy": [
        f"lazy.{name}"
        for name in ("abstraction", "classes", "coarse", "engine", "paths", "search", "semantics", "shapes", "solver")
    ],
    "boolheap": [
        f"boolheap.{name}"
        for name in ("abstraction", "analysis", "deduction", "engine", "heap_program", "meaning", "obligations")
    ]
    + ["boolheap.post", "boolheap.preconditions", "boolheap.prover"],
}
LOADED = """
import json, sys
import heapwright.proof.certificate, heapwright.proof.verify
from heapwright.engines import load_reader
load_reader(sys.argv[1])
print(json.dumps([name for name in sys.modules if name.startswith("heapwright.")]))
"""


@pytest.mark.parametrize("engine", READERS)
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
    assert TRANSFORMERS.keys() == ENGINES.keys()
    for name in chain(*TRANSFORMERS.values()):
        assert f"heapwright.engines.{name}" in modules, name


def test_engines_do_not_import_one_another() -> None:
    import grimp

    graph = grimp.build_graph("heapwright")
    modules = {path.partition(":")[0] for path in ENGINES.values()}
    families = {module: {module, *graph.find_descendants(module)} for module in modules if module in graph.modules}
    for module, family in families.items():
        others = set().union(*(other for name, other in families.items() if name != module))
        for part in family:
            assert not graph.find_modules_directly_imported_by(part) & others, part
