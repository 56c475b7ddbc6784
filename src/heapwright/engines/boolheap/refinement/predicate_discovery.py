"""Predicate discovery: weakest preconditions of the failed obligation along the abstract counterexample.

Each atom of these preconditions is a candidate, and if it dereferences a variable, also its generalisation to any
object `v`. If the obligation compares integers, equations that the steps assign or assume are candidates, too.

    x = x->next; y = x->key    the precondition of x != null over the first step suggests null = v.next
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.command_translation import Alternatives
from heapwright.engines.boolheap.logic.heap_commands import Count, Suppose
from heapwright.engines.boolheap.logic.substitution import substituted
from heapwright.engines.boolheap.logic.weakest_preconditions import ANY, hwp
from heapwright.logic.connectives import Truth

FAR = 25  # maximum number of steps back
NEW = 6  # maximum number of predicates in one refinement


def discover_predicates(analysis: Analysis, alarms: Iterable[str]) -> tuple[f.Formula, ...]:
    """New predicates, those nearest to an alarm first."""
    known = set(analysis.program.predicates)
    found: dict[f.Formula, None] = {}
    for check in alarms:
        for one in _candidates(analysis, check, analysis.alarms[check].path()):
            if one not in known and len(found) < NEW:
                found[one] = None
    return tuple(found)


def _candidates(analysis: Analysis, check: str, path: tuple[int, ...]) -> Iterator[f.Formula]:
    edges = analysis.program.graph.edges
    wanted = next(one for one in edges[path[-1]].command.obligations if one.check == check)
    formulas = [wanted.closed, wanted.everywhere]
    yield from _of(formulas)
    counting = any(isinstance(atom, f.Less | f.Same) for one in formulas for atom in f.atoms(one))
    for number in list(reversed(path if wanted.after else path[:-1]))[:FAR]:
        step = edges[number].command
        if counting:
            yield from _of(_equations(step.alternatives))
        formulas = [hwp(commands, one).formula for commands in step.alternatives for one in formulas]
        formulas = [one for one in dict.fromkeys(formulas) if not isinstance(one, Truth)]
        if not formulas or len(formulas) > 8:
            return
        yield from _of(formulas)


def _equations(alternatives: Alternatives) -> Iterator[f.Formula]:
    """Integer equations that a step establishes, and integer comparisons that it assumes."""
    for command in (command for commands in alternatives for command in commands):
        match command:
            case Count(variable, f.Number(other)):
                yield f.same(f.Number(variable), f.Number(other))
            case Count(variable, f.Data(name, _)):
                yield f.same(f.Number(variable), f.Data(name, f.V))
            case Suppose(formula):
                yield from (atom for atom in f.atoms(formula) if isinstance(atom, f.Less | f.Same))


def _of(formulas: Iterable[f.Formula]) -> Iterator[f.Formula]:
    for atom in (atom for formula in formulas for atom in f.atoms(formula)):
        if not _plain(atom):
            continue
        objects = sorted({f.root(term).id for term in f.terms_of(atom) if _dereferences(atom, term)})
        if not f.is_closed(atom) or (isinstance(atom, f.Less | f.Same) and not objects):
            yield atom
        for variable in objects:  # a predicate of all objects covers the one that the variable points to
            if not variable.startswith("%"):
                general = substituted(atom, {f.Name(variable): f.V})
                if not isinstance(general, Truth):
                    yield general


def _dereferences(atom: f.Atom, term: f.Term) -> bool:
    """Whether the atom reads the object of a term."""
    return isinstance(term, f.Field) or isinstance(atom, f.Between | f.Less | f.Same)


def _plain(atom: f.Atom) -> bool:
    """Whether an atom has no fresh objects, nested dereferences or chosen integers."""
    for term in f.terms_of(atom):
        if f.root(term) == f.FRESH or (isinstance(term, f.Field) and isinstance(term.base, f.Field)):
            return False
    if isinstance(atom, f.Less | f.Same):
        sides = [f.bare(side) for side in (atom.left, atom.right)]
        if any(isinstance(side, f.Number) and side.id.startswith(ANY) for side in sides):
            return False
        return any(isinstance(side, f.Number | f.Data) for side in sides)
    return True
