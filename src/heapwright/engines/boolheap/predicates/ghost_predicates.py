"""Ghost predicates (marks) and claims of the user: a mark records which objects satisfy a formula at one line, a claim
must hold of every object at a later one.

    --mark '30: input = reach(list, v, next)'            --claim '37: mark(input, v) -> reach(result, v, next)'

A mark is rigid: after it is set, `mark(input, v)` is true of exactly the objects that satisfied the formula when
control reached the line; no command of the program changes it. A claim is a check like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from heapwright.base.errors import UsageError
from heapwright.base.source import Span
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.heap_commands import Mark
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.printing import text
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Command
from heapwright.program.dataflow.liveness import defined
from heapwright.program.graph import Edge, Program

LINE = re.compile(r"\s*(\d+)\s*:\s*(.+)")
MARK = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)\s*(.+)")


@dataclass(frozen=True, slots=True)
class Ghosts:
    """By line: the marks that are set when control reaches it, and the claims."""

    marks: tuple[tuple[int, Mark], ...] = ()
    claims: tuple[tuple[int, f.Formula], ...] = ()

    @property
    def formulas(self) -> Iterator[f.Formula]:
        """The formulas of marks and claims."""
        for _, mark in self.marks:
            yield from (f.Marked(mark.mark, f.V), *f.atoms(mark.formula))
        for _, formula in self.claims:
            yield from f.atoms(formula)

    @property
    def points(self) -> Iterator[f.Formula]:
        for formula in (*(mark.formula for _, mark in self.marks), *(formula for _, formula in self.claims)):
            terms = {f.root(term).id for atom in f.atoms(formula) for term in f.terms_of(atom)} & f.names_of(formula)
            yield from (f.eq(f.name(one), f.V) for one in sorted(terms))

    def check(self, line: int, program: Program) -> Check:
        """The check of all claims of a line."""
        edge = program.graph.edges[self._edges(program, line)[0]]
        function = program.graph.locations[edge.source].function
        return Check(CheckKind.ASSERT, Span(edge.span.file, line, 0), function, text(self._claimed(line)))

    def _claimed(self, line: int) -> f.Formula:
        return f.conj(*(formula for at, formula in self.claims if at == line))

    def checks(self, program: Program) -> tuple[Check, ...]:
        return tuple(self.check(line, program) for line in sorted({line for line, _ in self.claims}))

    def marks_at(self, number: int, program: Program) -> tuple[Mark, ...]:
        """The marks that an edge sets."""
        return tuple(mark for line, mark in self.marks if number in self._edges(program, line))

    def claim_at(self, number: int, program: Program) -> tuple[Check, f.Formula] | None:
        for line in sorted({line for line, _ in self.claims}):
            if number in self._edges(program, line):
                return self.check(line, program), self._claimed(line)
        return None

    def named_at(self, program: Program) -> dict[int, frozenset[str]]:
        """By location: the variables of marks and claims on paths from it."""
        graph = program.graph
        found: dict[int, frozenset[str]] = {}
        waiting: list[tuple[int, frozenset[str]]] = []
        for line, formula in (*((line, mark.formula) for line, mark in self.marks), *self.claims):
            waiting += [(graph.edges[number].source, f.names_of(formula)) for number in self._edges(program, line)]
        while waiting:
            location, names = waiting.pop()
            if not names <= found.get(location, frozenset()):
                found[location] = found.get(location, frozenset()) | names
                before = graph.predecessors[location]
                waiting += [(edge.source, names - {defined(edge.command) or ""}) for edge in before]
        return found

    def unset_at(self, program: Program) -> dict[int, frozenset[str]]:
        """By location: the marks that no path to it sets."""
        graph = program.graph
        found = {location: {mark.mark for _, mark in self.marks} for location in range(len(graph.locations))}
        for line, mark in self.marks:
            waiting = [graph.edges[number].target for number in self._edges(program, line)]
            while waiting:
                location = waiting.pop()
                if mark.mark in found[location]:
                    found[location].discard(mark.mark)
                    waiting += [edge.target for edge in graph.successors[location]]
        return {location: frozenset(marks) for location, marks in found.items()}

    def _edges(self, program: Program, line: int) -> list[int]:
        """The edges by which control reaches a line, without later ones on the same line."""
        graph, files = program.graph, set(program.files)

        def there(edge: Edge[Command]) -> bool:
            return edge.span.line == line and (edge.span.file in files or not files)

        found = [
            number
            for number, edge in enumerate(graph.edges)
            if there(edge) and (edge.source == graph.entry or not all(map(there, graph.predecessors[edge.source])))
        ]
        if not found:
            raise UsageError(f"no statement of the program begins in line {line}, where a mark or a claim is wanted")
        return found


NO_GHOSTS = Ghosts()


def ghosts(marks: Sequence[str], claims: Sequence[str]) -> Ghosts:
    """From text, each with its line before it."""
    return Ghosts(
        tuple((line, _mark(rest)) for line, rest in map(_line, marks)),
        tuple((line, parse(rest)) for line, rest in map(_line, claims)),
    )


def _line(given: str) -> tuple[int, str]:
    found = LINE.fullmatch(given)
    if found is None:
        raise UsageError(f"'{given}' has no line before it", hint="for instance: '12: input = reach(list, v, next)'")
    return int(found.group(1)), found.group(2)


def _mark(given: str) -> Mark:
    found = MARK.fullmatch(given)
    if found is None:
        raise UsageError(f"'{given}' sets no mark", hint="for instance: '12: input = reach(list, v, next)'")
    return Mark(found.group(1), parse(found.group(2)))


def undefined_mark(formulas: Iterable[f.Formula], given: Ghosts) -> str:
    """A mark that formulas mention and no line sets, "" if there is none."""
    there = {mark.mark for _, mark in given.marks}
    named = {atom.mark for one in formulas for atom in f.atoms(one) if isinstance(atom, f.Marked)}
    return min(named - there, default="")
