"""Programs and libraries of a source tree, from the names that its files define and use.

A program is a compilation with `main` and what it needs of the others: of those that a build links with it, where a
link step is known, else of all that have no `main`. A name that several files define, none of them in the directory of
the program, stays undefined, and a note says so. What no program needs is a library: each of its public functions is a
unit by itself.

    units = find_units(tree, facts, link_steps(folder))
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from heapwright.c.options import HEADERS
from heapwright.c.translation_unit_facts import TranslationUnitFacts
from heapwright.project.units.link_steps import LinkSteps
from heapwright.project.units.unit import Compilation, Unit, beneath

Scanned = tuple[Compilation, TranslationUnitFacts]


def find_units(root: str, scanned: Sequence[Scanned], links: LinkSteps) -> list[Unit]:
    """All units, programs first, each kind in the order of its files. A compilation that cannot be parsed is one with
    an error."""
    linker = _Linker(scanned, links)
    labels = _labels(root, [compilation for compilation, _ in scanned])
    units = []
    used: set[int] = set()
    for number, (_, facts) in enumerate(scanned):
        if "main" in facts.functions:
            members, notes = linker.closure(number)
            used |= members.keys()
            units.append(_unit(labels[number], "main", [scanned[one] for one in members], notes))
    for number, (compilation, facts) in enumerate(scanned):
        if facts.error:
            units.append(Unit(labels[number], "", (compilation,), _own(facts.files), (), facts.error))
        elif number not in used:
            members, notes = linker.closure(number)
            parts = [scanned[one] for one in members]
            units += [_unit(f"{labels[number]}:{name}", name, parts, notes) for name in facts.functions]
    return units


def _unit(name: str, entry: str, parts: Sequence[Scanned], notes: Sequence[str]) -> Unit:
    files = _own(file for _, facts in parts for file in facts.files)
    return Unit(name, entry, tuple(compilation for compilation, _ in parts), files, tuple(notes))


def _own(files: Iterable[str]) -> tuple[str, ...]:
    """Each file once, without the headers of the package."""
    return tuple(dict.fromkeys(file for file in files if not file.startswith(f"{HEADERS}{os.sep}")))


def _labels(root: str, compilations: Sequence[Compilation]) -> list[str]:
    """Names of compilations: paths from the root; a file with several sets of options has a number after `#`."""
    seen: dict[str, int] = {}
    labels = []
    for one in compilations:
        path = beneath(root, one.file)
        seen[path] = seen.get(path, 0) + 1
        labels.append(path if seen[path] == 1 else f"{path}#{seen[path]}")
    return labels


@dataclass(frozen=True, slots=True)
class _Choice:
    """The compilation that defines a name; none if there are several `candidates`."""

    number: int | None
    candidates: tuple[int, ...] = ()


class _Linker:
    def __init__(self, scanned: Sequence[Scanned], links: LinkSteps) -> None:
        self.scanned = scanned
        self.links = links
        self.definers: dict[str, list[int]] = {}
        for number, (_, facts) in enumerate(scanned):
            if "main" not in facts.defines:
                for name in facts.defines:
                    self.definers.setdefault(name, []).append(number)

    def closure(self, first: int) -> tuple[dict[int, None], list[str]]:
        """The compilations that one needs, in link order, it first; and notes about names with several definitions."""
        allowed = self._linked_with(first)
        members: dict[int, None] = {first: None}
        notes: dict[str, None] = {}
        waiting = [first]
        while waiting:
            current = waiting.pop(0)
            for name in self.scanned[current][1].uses:
                choice = self._definition(name, first, members, allowed)
                if choice.candidates:
                    files = ", ".join(os.path.basename(self.scanned[one][0].file) for one in choice.candidates)
                    what = (
                        "not linked"
                        if choice.number is None
                        else f"taken from the same directory as {self._base(first)}"
                    )
                    notes[f"'{name}' is defined in several files ({files}): {what}"] = None
                if choice.number is not None and choice.number not in members:
                    members[choice.number] = None
                    waiting.append(choice.number)
        return members, list(notes)

    def _base(self, number: int) -> str:
        return os.path.basename(self.scanned[number][0].file)

    def _definition(self, name: str, first: int, members: dict[int, None], allowed: frozenset[int] | None) -> _Choice:
        found = [one for one in self.definers.get(name, ()) if allowed is None or one in allowed]
        here = next((one for one in found if one in members), None)
        if here is not None or not found:
            return _Choice(here)
        if len(found) == 1:
            return _Choice(found[0])
        if len({self.scanned[one][0].file for one in found}) == 1:  # compiled with several sets of options
            return _Choice(found[0])
        folder = os.path.dirname(self.scanned[first][0].file)
        near = [one for one in found if os.path.dirname(self.scanned[one][0].file) == folder]
        return _Choice(near[0] if len(near) == 1 else None, tuple(found))

    def _linked_with(self, number: int) -> frozenset[int] | None:
        """What a build links with a compilation; None if no link step has it. If several have it, what any of them
        has."""
        own = self._keys(number)
        groups = [group for group in self.links.programs if not group.isdisjoint(own)]
        if not groups:
            return None
        return frozenset(
            other
            for other in range(len(self.scanned))
            if any(not group.isdisjoint(self._keys(other)) for group in groups)
        )

    def _keys(self, number: int) -> tuple[str, ...]:
        """How link steps may name a compilation: by its object file, or by its source."""
        compilation = self.scanned[number][0]
        return (*compilation.outputs, os.path.normpath(compilation.file))


def changed_units(units: Iterable[Unit], absent: dict[str, frozenset[str]], changed: frozenset[str]) -> Iterator[Unit]:
    """Units that depend on one of the changed files (real paths), be it by a candidate of an #include that was not
    there: `absent` has these by file."""
    for unit in units:
        watched = {os.path.realpath(file) for file in unit.files}
        watched.update(path for one in unit.compilations for path in absent.get(one.file, ()))
        if not watched.isdisjoint(changed):
            yield unit
