"""Shape classes: the vocabulary of `tvl` that a tracking definition stands for, and the actions over it.

A class is made once for each tracking definition of a component. Structures of different classes are compared in the
union of their vocabularies, where what a class does not know is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from heapwright.engines.lazy.projection import Projection
from heapwright.engines.lazy.solver import Solver
from heapwright.engines.lazy.terms import TRUE as HOLDS
from heapwright.engines.lazy.terms import negation, num
from heapwright.engines.lazy.tracking import NodePredicate, ShapeType, Tracking
from heapwright.engines.tvl.constraints import all_constraints
from heapwright.engines.tvl.initial import read_structure
from heapwright.engines.tvl.programs.commands import Compiler
from heapwright.engines.tvl.programs.family import Data, Family
from heapwright.engines.tvl.programs.inverse import Inverse
from heapwright.engines.tvl.programs.names import IS_NEW, atom
from heapwright.engines.tvl.programs.reach import Reach
from heapwright.engines.tvl.programs.reach_all import ReachAll
from heapwright.engines.tvl.programs.steps import merged
from heapwright.engines.tvl.programs.vocabulary import HeapVocabulary
from heapwright.engines.tvl.structure import Signature, Structure
from heapwright.engines.tvl.transformer import Kernel, Transformer
from heapwright.logic.actions import Action, NamedStructure, Update
from heapwright.logic.formulas import FALSE, HALF, TRUE, Formula, IfThenElse, Not, Or
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary
from heapwright.program.checks import Goal
from heapwright.program.commands import Assign, New, StoreData
from heapwright.program.expressions import NULL


@dataclass(frozen=True)
class NodePredicates(Family):
    """The node predicates as unary predicates; `cells` has the cells of new blocks."""

    known: tuple[NodePredicate, ...]
    exclusive: tuple[tuple[NodePredicate, bool, NodePredicate, bool], ...]  # of these pairs of values not both
    heap: HeapVocabulary

    def predicates(self) -> Iterable[Predicate]:
        return (Predicate(one.name, 1) for one in self.known)

    def constraints(self) -> Iterable[Constraint]:
        for one, holds, other, too in self.exclusive:
            first, second = atom(one.name, "v"), atom(other.name, "v")
            yield Constraint(first if holds else Not(first), Not(second) if too else second)

    def created(self, command: New) -> Iterable[Update]:
        cells = self.heap.cells_of(command)
        for one in self.known:
            start: Formula = HALF
            if command.zeroed and not one.scalars:
                start = TRUE if one.of(num(0)) == HOLDS else FALSE
            if one.cell in cells:
                yield Update(one.name, ("v",), IfThenElse(atom(IS_NEW, "v"), start, atom(one.name, "v")))

    def computed(self, command: Data) -> Iterable[Update]:
        """What is stored is not known here; who knows more replaces this."""
        if isinstance(command, StoreData):
            for one in self.known:
                if one.cell == command.field:
                    yield Update(one.name, ("v",), IfThenElse(atom(command.base, "v"), HALF, atom(one.name, "v")))


@dataclass(frozen=True)
class TrackedVocabulary(HeapVocabulary):
    """The vocabulary of a component under a tracking definition."""

    tracking: Tracking = field(default_factory=Tracking)
    exclusive: tuple[tuple[NodePredicate, bool, NodePredicate, bool], ...] = ()

    @cached_property
    def families(self) -> tuple[Family, ...]:
        families: list[Family] = [self.tags, NodePredicates(self.tracking.ordered, self.exclusive, self)]
        if self.tracking.type < ShapeType.REACHABILITY:
            return tuple(families)
        roles = self.roles
        along = [Reach(one, self._leading_to((one,))) for one in roles.forward]
        families += along
        families += [Inverse(back, forth, self.variables) for back, forth in roles.backward.items()]
        if roles.joined:
            mixed = tuple(one for one in along if one.field in roles.joined)
            families.append(ReachAll(mixed, self._leading_to(roles.joined), ()))
        return tuple(families)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Pointers that do not separate, and what they reach, take no part in names."""
        if self.tracking.all_apart:
            return super().vocabulary
        merely = [name for name in self.variables if name not in self.tracking.separating]
        marks = set(merely) | {f"{kind}[{name}" for name in merely for kind in "ro"}
        return Vocabulary(
            tuple(
                replace(one, abstraction=False) if one.arity == 1 and _stem(one.name) in marks else one
                for one in super().vocabulary.predicates
            )
        )


def _stem(name: str) -> str:
    """`r[x,f]` and `r[x]` without what comes after the variable."""
    return name.partition(",")[0].removesuffix("]") if name[1:2] == "[" else name


class ShapeClass:
    """The actions of each edge over one vocabulary, and their transformers."""

    def __init__(self, projection: Projection, tracking: Tracking, goal: Goal, solver: Solver) -> None:
        self.projection = projection
        self.tracking = tracking
        self.predicates = known = tracking.ordered
        apart = frozenset(map(projection.name, tracking.separating))
        self.heap = TrackedVocabulary(
            projection.program,
            None if projection.program is projection.whole else projection.heap,
            tracking=replace(tracking, separating=apart),
            exclusive=tuple(_exclusive(known, solver)),
        )
        rules = all_constraints(self.heap.vocabulary, self.heap.constraints, automatic=True)
        self.kernel = Kernel.build(self.heap.vocabulary, rules, differencing=False)
        self.compiler = Compiler(self.heap, goal)
        self._transformers: dict[Action, Transformer] = {}
        self._chains: dict[int, list[list[Action]]] = {}
        self._idle: dict[int, bool] = {}

    @property
    def signature(self) -> Signature:
        return self.kernel.signature

    @cached_property
    def initial(self) -> Structure:
        """No object, and all variables null: lowering sets those to junk that are read before they are written."""
        return read_structure(self.kernel, NamedStructure(()))

    def knows(self, location: int, pointer: str) -> bool:
        """Whether structures tell at a location where a pointer points: it has not been forgotten."""
        return self.projection.knows(location, pointer)

    def chains(self, number: int) -> list[list[Action]]:
        """The alternatives of an edge."""
        found = self._chains.get(number)
        if found is None:
            edge = self.projection.program.graph.edges[number]
            found = self.compiler.actions(edge)
            if number in self.projection.unset and isinstance(edge.command, Assign):
                nothing = [*self.compiler.steps.assigned(edge.command.target, NULL)]
                found += [
                    [replace(chain[0], updates=tuple(merged(chain[0].updates, nothing))), *chain[1:]] for chain in found
                ]
            self._chains[number] = found
        return found

    def is_idle(self, number: int) -> bool:
        """Whether an edge does nothing to structures."""
        found = self._idle.get(number)
        if found is None:
            chains = self.chains(number)
            found = self._idle[number] = len(chains) == 1 and all(one == Action(one.title) for one in chains[0])
        return found

    def transformer(self, action: Action) -> Transformer:
        found = self._transformers.get(action)
        if found is None:
            found = self._transformers[action] = Transformer(self.kernel, action)
        return found

    def check(self, action: Action) -> Transformer:
        """What may fail, alone: a message is raised only where its action goes on."""
        faults = Or(tuple(message.formula for message in action.messages))
        return self.transformer(Action(f"{action.title}: check", action.focus, faults, action.messages))


def _exclusive(
    known: Sequence[NodePredicate], solver: Solver
) -> Iterable[tuple[NodePredicate, bool, NodePredicate, bool]]:
    """Pairs of values that no cell can have."""
    for place, one in enumerate(known):
        for other in known[place + 1 :]:
            if one.cell != other.cell:
                continue
            for holds in (True, False):
                for too in (True, False):
                    first = one.atom if holds else negation(one.atom)
                    second = other.atom if too else negation(other.atom)
                    if not solver.satisfiable((first, second)):
                        yield one, holds, other, too


def extended(structure: Structure, source: Signature, numbers: Mapping[str, int], arities: Sequence[int]) -> Structure:
    """A structure in a larger vocabulary: what its own does not know is unknown."""
    may, must = [], []
    for name, number in numbers.items():
        old = source.number.get(name)
        if old is None:
            width = structure.n ** arities[number]
            may.append((1 << width) - 1)
            must.append(0)
        else:
            may.append(structure.may[old])
            must.append(structure.must[old])
    return Structure(structure.n, tuple(may), tuple(must))
