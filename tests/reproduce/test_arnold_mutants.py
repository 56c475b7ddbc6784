"""`heapwright reproduce arnold` holds of the engine, and fails of engines that are wrong in one place.

Mutants replace functions of the running engine; measurements, in child processes, inherit them. A mutant that reaches
no fixpoint is stopped by the bound on structures of each measurement.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from heapwright.cli import main
from heapwright.engines.tvl.api import kernel_kind
from heapwright.engines.tvl.focus import refining_set_members, refining_sets, strategies
from heapwright.engines.tvl.formulas.evaluation import MUST, Request
from heapwright.engines.tvl.structures import canonical_abstraction, embedding, loose_embedding
from heapwright.engines.tvl.structures.bit_sets import Layouts
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure
from heapwright.logic.formulas import Formula

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(kernel_kind() == "compiled", reason="functions of a compiled kernel cannot be replaced"),
]
Patch = pytest.MonkeyPatch


def everywhere(patch: Patch, original: Callable[..., Any], mutant: Callable[..., Any]) -> None:
    """Replace a function in every module that has imported it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("heapwright.") and getattr(module, original.__name__, None) is original:
            patch.setattr(module, original.__name__, mutant)


def no_bridging(patch: Patch) -> None:
    def loosened(signature: Signature, structure: Structure, layouts: Layouts | None = None) -> Structure:
        must = list(structure.must)
        must[ACTIVE] &= ~structure.may[SUMMARY]
        return Structure(structure.n, tuple(structure.may), tuple(must))

    everywhere(patch, loose_embedding.loosened, loosened)


def only_the_first_member(patch: Patch) -> None:
    def meet(self: refining_sets.RefiningSet, structure: Draft, layouts: Layouts) -> Iterable[Draft]:
        if all(test(structure) for test in self.settled):
            return [structure]
        return [after for member in self.members[:1] for after in member.meet(structure, layouts)]

    patch.setattr(refining_sets.RefiningSet, "meet", meet)


def no_coerce_after_focus(patch: Patch) -> None:
    def apply(self: strategies.ByFormula, structure: Structure) -> list[Draft]:
        return [structure.draft()] if self._focusing is None else list(self._focusing.apply(structure))

    patch.setattr(strategies.ByFormula, "apply", apply)


def too_few_names(patch: Patch) -> None:
    original = canonical_abstraction.parts_by_name

    def parts_by_name(signature: Signature, may: list[int], must: list[int], n: int) -> list[int]:
        ignored = {p for p in signature.unary_names if signature.predicates[p].definition is not None}
        kept = [0 if p in ignored else value for p, value in enumerate(may)]
        return original(signature, kept, [0 if p in ignored else value for p, value in enumerate(must)], n)

    everywhere(patch, original, parts_by_name)


def always_embeds(patch: Patch) -> None:
    everywhere(patch, embedding.embeds, lambda *arguments, **options: True)


def no_null_member(patch: Patch) -> None:
    original = refining_sets.RefiningSets.of

    def of(self: refining_sets.RefiningSets, formula: Formula) -> tuple[refining_sets.Member, ...]:
        definite = self.compiler.function([Request(formula, ("v",), MUST)])

        def holds(structure: Structure) -> bool:
            return any(definite(structure.may, structure.must, self.layouts.of(structure.n)))

        found = original(self, formula)
        return tuple(member for member in found if holds(member.structure)) or found

    patch.setattr(refining_sets.RefiningSets, "of", of)


def no_stages(patch: Patch) -> None:
    patch.setattr(refining_set_members.Variant, "_half", lambda self, stage, value: refining_set_members.NOTHING)


MUTANTS = (
    no_bridging,
    only_the_first_member,
    no_coerce_after_focus,
    too_few_names,
    always_embeds,
    no_null_member,
    no_stages,
)


def reproduced(monkeypatch: Patch, folder: Path) -> tuple[int, list[str]]:
    """The exit code, and the claims that fail; with a query cache and refining sets of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setattr(refining_sets.RefiningSets, "kept", {})
    found = folder / "found.json"
    code = main(["reproduce", "arnold", "--timeout", "0", "--json", str(found)])
    return code, [claim["text"] for claim in json.loads(found.read_text())["claims"] if not claim["holds"]]


def test_the_engine_reproduces_the_paper(monkeypatch: Patch, tmp_path: Path) -> None:
    assert reproduced(monkeypatch, tmp_path) == (0, [])


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_wrong_engine_does_not(monkeypatch: Patch, tmp_path: Path, mutant: Callable[[Patch], None]) -> None:
    mutant(monkeypatch)
    code, failing = reproduced(monkeypatch, tmp_path)
    assert code == 1
    assert failing
