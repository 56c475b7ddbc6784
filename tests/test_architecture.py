"""What the import contracts cannot say: certificates are checked without the engines that wrote them, the api of an
engine has what it declares, and rooms, modules and functions stay small."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest
from support.code_measures import (
    Function,
    alike,
    code_lines,
    complexity,
    functions,
    length,
    repetitions,
    sources,
    without_names,
)
from support.paths import ROOT

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


# --- the api of an engine ------------------------------------------------------------------------------------------


PACKAGE = ROOT / "src" / "heapwright"
APIS = sorted(f"heapwright.engines.{path.parent.name}.api" for path in (PACKAGE / "engines").glob("*/api.py"))


def imported_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Modules and what is imported from them, also inside of functions and for type checkers."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", one.name) for one in node.names)


def test_an_api_has_the_names_that_others_import_from_it(trees: Mapping[str, ast.Module]) -> None:
    """They are listed for type checkers, and once more with the modules from which they load when they are used."""
    used = {(module, name) for tree in trees.values() for module, name in imported_names(tree) if module in APIS}
    assert {module for module, _ in used} == set(APIS)
    for module, name in used:
        tree = trees[f"{module.removeprefix('heapwright.').replace('.', '/')}.py"]
        home = next((home for home, known in imported_names(tree) if known == name), module)
        assert getattr(import_module(module), name) is getattr(import_module(home), name), (module, name)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = import_module("heapwright.engines.tvl.api").nonsense


# --- sizes -----------------------------------------------------------------------------------------------------------


MOST_MODULES = 15
LONG_MODULE = 400
MOST_LONG_MODULES = 5
LONG_FUNCTION = 60
MOST_COMPLEX = 20
REPEATED = 20


@pytest.fixture(scope="module")
def texts() -> Mapping[str, str]:
    return sources(PACKAGE)


@pytest.fixture(scope="module")
def trees(texts: Mapping[str, str]) -> Mapping[str, ast.Module]:
    return {name: ast.parse(text) for name, text in texts.items()}


def packages() -> list[Path]:
    return sorted(path.parent for path in PACKAGE.rglob("__init__.py"))


def modules(package: Path) -> list[str]:
    return sorted(path.stem for path in package.glob("*.py") if path.stem != "__init__")


def test_no_room_has_too_many_modules() -> None:
    sizes = {str(package.relative_to(PACKAGE)): len(modules(package)) for package in packages()}
    assert len(sizes) > 60
    assert {name: size for name, size in sizes.items() if size > MOST_MODULES} == {}


def test_every_room_says_what_lives_there(trees: Mapping[str, ast.Module]) -> None:
    for name, tree in trees.items():
        if name.endswith("__init__.py"):
            assert len((ast.get_docstring(tree) or "").split()) >= 4, name


def test_no_two_names_in_a_room_differ_by_an_ending() -> None:
    for package in packages():
        rooms = [path.name for path in package.iterdir() if (path / "__init__.py").exists()]
        assert alike([*modules(package), *rooms]) == [], package


def test_few_modules_are_long(texts: Mapping[str, str]) -> None:
    long = [name for name, text in texts.items() if text.count("\n") > LONG_MODULE]
    assert len(long) <= MOST_LONG_MODULES, long


def test_no_function_is_long(trees: Mapping[str, ast.Module]) -> None:
    found = ((name, *one) for name, tree in trees.items() for one in functions(tree))
    assert [f"{name}: {function}" for name, function, node in found if length(node) > LONG_FUNCTION] == []


def test_no_function_is_complex(trees: Mapping[str, ast.Module]) -> None:
    found = ((name, *one) for name, tree in trees.items() for one in functions(tree))
    assert [f"{name}: {function}" for name, function, node in found if complexity(node) > MOST_COMPLEX] == []


def test_no_code_is_repeated(texts: Mapping[str, str], trees: Mapping[str, ast.Module]) -> None:
    found = {name: code_lines(tree, texts[name].splitlines()) for name, tree in trees.items()}
    assert repetitions(found, REPEATED) == []


def test_no_function_repeats_another_one_under_other_names(
    texts: Mapping[str, str], trees: Mapping[str, ast.Module]
) -> None:
    found = {
        f"{name}:{function.name}:{function.lineno}": without_names(code_lines(function, texts[name].splitlines()))
        for name, tree in trees.items()
        for function in outer_functions(tree)
    }
    assert repetitions(found, REPEATED) == []


def outer_functions(tree: ast.AST) -> Iterator[Function]:
    """Functions and methods, without those inside of others."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from outer_functions(node)


# --- how sizes are measured ------------------------------------------------------------------------------------------


EXAMPLE = """
def first(values):
    '''A docstring.'''
    for value in values:
        if value:
            return value
    return None

class Box:
    def look(self, things):
        def inner(): return [one for one in things if one]
        try:
            match things:
                case []: return 1
                case _: return inner()
        except ValueError:
            return 2

    def find(self, items):
        for item in items:
            if item:
                return item
        return None
"""


def test_measures_of_functions() -> None:
    found = {name: (length(node), complexity(node)) for name, node in functions(ast.parse(EXAMPLE))}
    assert found == {"first": (6, 3), "Box.look": (8, 4), "Box.look.inner": (1, 2), "Box.find": (5, 3)}


def test_repetitions_are_found() -> None:
    plain = {name: code_lines(node, EXAMPLE.splitlines()) for name, node in functions(ast.parse(EXAMPLE))}
    nameless = {name: without_names(lines) for name, lines in plain.items()}
    assert repetitions(plain, 4) == []
    assert [(str(one), str(other)) for one, other in repetitions(nameless, 4)] == [("first:4-7", "Box.find:20-23")]
    assert repetitions(nameless, 5) == []
    again = EXAMPLE + EXAMPLE.replace("A docstring", "Another one")
    assert repetitions({"module": code_lines(ast.parse(again), again.splitlines())}, 10) != []


def test_names_that_differ_by_an_ending() -> None:
    names = ["focus", "focusing", "focus_cache", "split", "splitting", "state", "states", "merge", "merged", "map"]
    assert alike(names) == [("focus", "focusing"), ("merge", "merged"), ("split", "splitting"), ("state", "states")]
