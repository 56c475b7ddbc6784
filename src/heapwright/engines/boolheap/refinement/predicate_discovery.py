"""Predicate discovery: weakest preconditions of the failed obligation along the abstract counterexample.

Each atom of these preconditions is a candidate, and if it dereferences a variable, also its generalisation to any
object `v`. If the obligation compares integers, equations that the steps assign or assume are candidates, too.

    x = x->next; y = x->key    the precondition of x != null over the first step suggests null = v.next
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.logic.command_translation import Alternatives
from heapwright.engines.boolheap.logic.formulas import (
    FRESH,
    Atom,
    Between,
    Data,
    Field,
    Formula,
    Less,
    Name,
    Number,
    Same,
    Term,
    V,
    atoms,
    bare,
    is_closed,
    root,
    same,
    terms_of,
)
from heapwright.engines.boolheap.logic.heap_commands import Count, Suppose
from heapwright.engines.boolheap.logic.substitution import substituted
from heapwright.engines.boolheap.logic.weakest_preconditions import ANY, hwp
from heapwright.logic.connectives import Truth

FAR = 25  # maximum number of steps back
NEW = 6  # maximum number of predicates in one refinement


def discover_predicates(analysis: Analysis, alarms: Iterable[str]) -> tuple[Formula, ...]:
    """New predicates, those nearest to an alarm first."""
    known = set(analysis.program.predicates)
    found: dict[Formula, None] = {}
    for check in alarms:
        for one in _candidates(analysis, check, analysis.alarms[check].path()):
            if one not in known and len(found) < NEW:
                found[one] = None
    return tuple(found)


def _candidates(analysis: Analysis, check: str, path: tuple[int, ...]) -> Iterator[Formula]:
    edges = analysis.program.graph.edges
    wanted = next(one for one in edges[path[-1]].command.obligations if one.check == check)
    formulas = [wanted.closed, wanted.everywhere]
    yield from _of(formulas)
    counting = any(isinstance(atom, Less | Same) for one in formulas for atom in atoms(one))
    for number in list(reversed(path if wanted.after else path[:-1]))[:FAR]:
        step = edges[number].command
        if counting:
            yield from _of(_equations(step.alternatives))
        formulas = [hwp(commands, one).formula for commands in step.alternatives for one in formulas]
        formulas = [one for one in dict.fromkeys(formulas) if not isinstance(one, Truth)]
        if not formulas or len(formulas) > 8:
            return
        yield from _of(formulas)


def _equations(alternatives: Alternatives) -> Iterator[Formula]:
    """Integer equations that a step establishes, and integer comparisons that it assumes."""
    for command in (command for commands in alternatives for command in commands):
        match command:
            case Count(variable, Number(other)):
                yield same(Number(variable), Number(other))
            case Count(variable, Data(name, _)):
                yield same(Number(variable), Data(name, V))
            case Suppose(formula):
                yield from (atom for atom in atoms(formula) if isinstance(atom, Less | Same))


def _of(formulas: Iterable[Formula]) -> Iterator[Formula]:
    for atom in (atom for formula in formulas for atom in atoms(formula)):
        if not _plain(atom):
            continue
        objects = sorted({root(term).id for term in terms_of(atom) if _dereferences(atom, term)})
        if not is_closed(atom) or (isinstance(atom, Less | Same) and not objects):
            yield atom
        for variable in objects:  # a predicate of all objects covers the one that the variable points to
            if not variable.startswith("%"):
                general = substituted(atom, {Name(variable): V})
                if not isinstance(general, Truth):
                    yield general


def _dereferences(atom: Atom, term: Term) -> bool:
    """Whether the atom reads the object of a term."""
    return isinstance(term, Field) or isinstance(atom, Between | Less | Same)


def _plain(atom: Atom) -> bool:
    """Whether an atom has no fresh objects, nested dereferences or chosen integers."""
    for term in terms_of(atom):
        if root(term) == FRESH or (isinstance(term, Field) and isinstance(term.base, Field)):
            return False
    if isinstance(atom, Less | Same):
        sides = [bare(side) for side in (atom.left, atom.right)]
        if any(isinstance(side, Number) and side.id.startswith(ANY) for side in sides):
            return False
        return any(isinstance(side, Number | Data) for side in sides)
    return True
