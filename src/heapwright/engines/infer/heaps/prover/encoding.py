"""First-order encoding of structures and steps, with reachability as a relation.

On acyclic fields reachability determines the field: the successor of an object is the nearest that it reaches. The
relation is therefore the only symbol of a field, under axioms that characterise the closures of acyclic fields on
finite heaps (reflexive, transitive, antisymmetric, and linear on the objects that one reaches), and the effect of a
command is an exact quantifier-free formula over the relation before it. A variable is a Boolean (not null) and a
constant. All formulas together are in the exists-forall fragment, which is decidable, and every model restricts to its
named objects, hence is a heap. Writes are encoded in one of two ways (`reachability_updates`); updates are exact.

Cyclic fields are read-only: the order of objects on a cycle matters for one step only, and whether the field of an
object is null is a predicate of its own.

    encoding = Encoding(vocabulary)
    encoding.describe(structure, view)           # the formula of a structure, whose predicates a view interprets
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from heapwright.engines.infer.heaps import steps
from heapwright.engines.infer.heaps.pointer_facts import APART, AWAY, NULL, PointerFacts
from heapwright.engines.infer.heaps.prover.assumed_shapes import shaped, typed
from heapwright.engines.infer.heaps.prover.reachability_updates import ExactUpdate, ReachabilityUpdate, Relation
from heapwright.engines.infer.heaps.prover.unchanged_regions import Change
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Structure, Vocabulary
from heapwright.smt.terms import Function, Symbols, conj, disj, for_all, implies, ite, negation

Property = Callable[[Any], Any]


@dataclass(frozen=True)
class View:
    """Interpretation of the predicates before or after a step."""

    there: tuple[Any, ...]  # of each variable: that it is not null
    where: tuple[Any, ...]  # of each variable: the object that it points to
    paths: tuple[Relation, ...]
    alloc: Property
    behind: steps.Plain | None = None  # the step that it is behind; None before a step

    @property
    def path(self) -> Relation:
        """Along the first field."""
        return self.paths[0]

    def at(self, variable: int, x: Any) -> Any:
        return conj(self.there[variable], x == self.where[variable])

    def reach(self, variable: int, x: Any, field: int = 0) -> Any:
        return conj(self.there[variable], self.paths[field](self.where[variable], x))


class Encoding:
    """First-order encoding of one vocabulary, in its own z3 context. `dangling`: pointers may point to deallocated
    objects."""

    def __init__(
        self, vocabulary: Vocabulary, *, dangling: bool = False, update: ReachabilityUpdate | None = None
    ) -> None:
        self.vocabulary = vocabulary
        self.dangling = dangling
        self.update: ReachabilityUpdate = update or ExactUpdate()
        self.prefix = ""  # of the names of nodes
        self.symbols = Symbols()
        self.sort = self.symbols.sort("Object")
        self.paths = tuple(self._between(f"path {field}") for field in range(vocabulary.fields))
        self.alloc = self.symbols.relation("alloc", self.sort)
        self.ends = self.symbols.relation("ends", self.sort)
        self.below = self._between("below")
        self.kinds: list[Property] = []
        self.objects: list[Any] = []
        names = vocabulary.variables
        there = tuple(self.symbols.boolean(f"{name} is there") for name in names)
        where = tuple(self.object(f"where {name} is") for name in names)
        self.view = View(there, where, self.paths, self.alloc)
        self.loaded = self.object("where after")
        self.any = [self.object(f"?{i}") for i in range(3)]
        self.witnesses = (self.object("first"), self.object("second"))
        self._made: dict[Hashable, Any] = {}

    def object(self, name: str) -> Any:
        return self.symbols.constant(name, self.sort)

    def _between(self, name: str) -> Function:
        return self.symbols.relation(name, self.sort, self.sort)

    def _once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Memoised construction of formulas: structures of one analysis have most of them in common, and construction
        takes longer than solving."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    # --- objects and nodes -----------------------------------------------------------------------------------------

    def _named(self, node: int) -> Any:
        while len(self.objects) <= node:
            index = len(self.objects)
            self.objects.append(self.object(f"{self.prefix}object of {index}"))
            self.kinds.append(self.symbols.relation(f"{self.prefix}is of {index}", self.sort))
        return self.objects[node]

    def of_node(self, structure: Structure, node: int) -> Property:
        """The objects of a node. The last summary node has those that are in no other."""
        name = self._named(node)
        if structure.nodes[node].single:
            return lambda x: x == name
        several = [i for i, one in enumerate(structure.nodes) if not one.single]
        if node != several[-1]:
            kind = self.kinds[node]
            return lambda x: kind(x)
        others = [self.of_node(structure, i) for i in range(len(structure.nodes)) if i != node]
        return lambda x: conj(self.symbols.truth(True), *(negation(other(x)) for other in others))

    def partition(self, structure: Structure) -> list[Any]:
        """Every object is of one node, and every node has one."""
        return list(self._once(("partition", _singles(structure)), lambda: self._partition(structure)))

    def _partition(self, structure: Structure) -> list[Any]:
        kinds = [self.of_node(structure, i) for i in range(len(structure.nodes))]
        several = [i for i, one in enumerate(structure.nodes) if not one.single]
        found = [kind(self._named(i)) for i, kind in enumerate(kinds) if i in several]
        x = self.any[0]
        if not several:
            found.append(for_all([x], disj(*(kind(x) for kind in kinds))))
        for i, one in enumerate(kinds):
            for j in range(i):
                if i not in several:
                    found.append(negation(kinds[j](self._named(i))))
                elif j not in several:
                    found.append(negation(one(self._named(j))))
                elif i != several[-1]:
                    found.append(for_all([x], negation(conj(one(x), kinds[j](x)))))
        return found

    # --- structures ------------------------------------------------------------------------------------------------

    def column(self, view: View, column: int, x: Any) -> Any:
        if column == self.vocabulary.alloc and self.vocabulary.allocation:
            return view.alloc(x)
        if column == self.vocabulary.ends:
            return self.ends(x)
        variable, index = divmod(column, 1 + self.vocabulary.fields)
        return view.reach(variable, x, index - 1) if index else view.at(variable, x)

    def describe(self, structure: Structure, view: View, columns: set[int] | None = None) -> list[Any]:
        """The definite values of a structure, whose nodes are those of `partition`; with `columns`, those of these
        columns only, where a negative number is the paths of a field."""
        found: list[Any] = []
        for k, value in enumerate(structure.null):
            if value != HALF and (columns is None or structure.at(k) in columns):
                found.append(negation(view.there[k]) if value == YES else view.there[k])
        for i, node in enumerate(structure.nodes):
            values = tuple(
                (column, value)
                for column, value in enumerate(node.values)
                if value != HALF and (columns is None or column in columns)
            )
            if values:
                found.append(self._node(structure, view, i, values))
        for field, path in enumerate(structure.paths):
            for i, row in enumerate(path) if columns is None or -1 - field in columns else ():
                for j, value in enumerate(row):
                    if value != HALF and not (i == j and structure.nodes[i].single):
                        found.append(self._path(structure, view, field, (i, j), value))
        return found

    def _node(self, structure: Structure, view: View, i: int, values: tuple[tuple[int, int], ...]) -> Any:
        def make() -> Any:
            single, x = structure.nodes[i].single, self.any[0]
            named = [(self.column(view, column, self._named(i) if single else x), value) for column, value in values]
            claimed = conj(*(claim if value == YES else negation(claim) for claim, value in named))
            return claimed if single else for_all([x], implies(self.of_node(structure, i)(x), claimed))

        return self._once(("node", view.behind, _singles(structure), i, values), make)

    def _path(self, structure: Structure, view: View, field: int, ends: tuple[int, int], value: int) -> Any:
        def make() -> Any:
            x, y, _ = self.any
            several = [(z, i) for z, i in ((x, ends[0]), (y, ends[1])) if not structure.nodes[i].single]
            first, second = (
                self._named(i) if structure.nodes[i].single else z for z, i in zip((x, y), ends, strict=True)
            )
            path = view.paths[field](first, second)
            claim = path if value == YES else negation(path)
            if not several:
                return claim
            premises = conj(*(self.of_node(structure, i)(z) for z, i in several))
            return for_all([z for z, _ in several], implies(premises, claim))

        return self._once(("path", view.behind, _singles(structure), field, ends, value), make)

    def one_of(self, structures: Sequence[Structure]) -> Any:
        """Membership in the concretisation of one of these structures, with nodes of its own."""
        found = []
        for number, structure in enumerate(structures):
            encoding = copy(self)
            encoding.prefix, encoding.kinds, encoding.objects, encoding._made = f"{number}: ", [], [], {}
            found.append(conj(*encoding.partition(structure), *encoding.describe(structure, self.view)))
        return disj(self.symbols.truth(False), *found)

    def violated(self, structure: Structure, assertion: tuple[int, int, int, int], view: View) -> Any:
        """Negation of an assertion (see `pairs`) at the witnesses, in the view of the sought half."""
        key = ("broken", view.behind, _singles(structure), assertion)
        return self._once(key, lambda: self._violated(structure, assertion, view))

    def _violated(self, structure: Structure, assertion: tuple[int, int, int, int], view: View) -> Any:
        kind, first, second, value = assertion
        one, two = self.witnesses
        if kind == 0:
            there = view.there[first]
            return there if value == YES else negation(there)
        if kind == 1:
            claim = self.column(view, second, one)
            wrong = negation(claim) if value == YES else claim
            return conj(self.of_node(structure, first)(one), wrong)
        claim = view.paths[kind - 2](one, two)
        wrong = negation(claim) if value == YES else claim
        return conj(self.of_node(structure, first)(one), self.of_node(structure, second)(two), wrong)

    # --- axioms ----------------------------------------------------------------------------------------------------

    def axioms(self) -> list[Any]:
        """Axioms of all heaps."""
        found = [formula for path in self.paths for formula in self.reachability(path)]
        if self.vocabulary.allocation and not self.dangling:
            view = self.view
            found += [implies(t, self.alloc(w)) for t, w in zip(view.there, view.where, strict=True)]
        return found + typed(self)

    def reachability(self, path: Relation) -> list[Any]:
        """Axioms of the closure of a field, before a step or after it. Only allocated objects have successors, and
        unless pointers may dangle these are allocated (before a step: none allocates and writes)."""
        x, y, z = self.any
        found = [
            for_all([x], path(x, x)),
            for_all([x, y, z], implies(conj(path(x, y), path(y, z)), path(x, z))),
            for_all([x, y, z], implies(conj(path(x, y), path(x, z)), disj(path(y, z), path(z, y)))),
        ]
        both = conj(path(x, y), path(y, x))
        if self.vocabulary.cyclic:  # no path leaves a cycle, or continues from an object whose field is null
            found.append(for_all([x, y, z], implies(conj(both, x != y, path(x, z)), path(z, x))))
            found.append(for_all([x, y], implies(conj(self.ends(x), path(x, y)), x == y)))
        else:
            found.append(for_all([x, y], implies(both, x == y)))
        if self.vocabulary.allocation:
            ends = self.alloc(x) if self.dangling else conj(self.alloc(x), self.alloc(y))
            found.append(for_all([x, y], implies(conj(path(x, y), x != y), ends)))
        return found

    def stages(self, step: steps.Plain) -> list[list[Any]]:
        """Increasing sets of additional axioms, tried until a query is decided. Here the axioms are complete."""
        return [[]]

    def order(self) -> list[Any]:
        """Axioms of keys: a total preorder, in which the witnesses are in the wrong order."""
        witnesses = self.vocabulary.witnesses
        if witnesses is None or not self.vocabulary.key:
            return []
        x, y, z = self.any
        below, view = self.below, self.view
        larger, smaller = witnesses
        wrong = negation(below(view.where[larger], view.where[smaller]))
        return [
            for_all([x, y], disj(below(x, y), below(y, x))),
            for_all([x, y, z], implies(conj(below(x, y), below(y, z)), below(x, z))),
            implies(conj(view.there[larger], view.there[smaller]), wrong),
        ]

    # --- steps -----------------------------------------------------------------------------------------------------

    def pointer_facts(self, state: PointerFacts) -> list[Any]:
        """Pointer facts as formulas, without those that others imply."""
        return list(self._once(("pointer facts", state), lambda: self._pointer_facts(state)))

    def _pointer_facts(self, state: PointerFacts) -> list[Any]:
        view, found, field = self.view, list[Any](), state.field
        x = self.any[0]
        for kind, one, other in sorted(state.facts):
            if YES in (state.null[one], state.null[other] if other != NULL else NO):
                continue
            apart = (APART, one, other) in state.facts
            match kind.name:
                case "SAME" if one < other and field == 0:
                    found.append(self._equal(one, other))
                case "DIFFERENT" if one < other and field == 0 and (AWAY, one, other) not in state.facts:
                    found.append(negation(self._equal(one, other)))
                case "NEXT":
                    none = self.symbols.truth(False)
                    there, where = (none, view.where[one]) if other == NULL else (view.there[other], view.where[other])
                    found.append(self.successor(view.where[one], there, where, field))
                case "PATH":
                    found.append(view.paths[field](view.where[one], view.where[other]))
                case "AWAY" if not apart:
                    found.append(implies(view.there[other], negation(view.reach(one, view.where[other], field))))
                case "APART" if one < other:
                    found.append(for_all([x], negation(conj(view.reach(one, x, field), view.reach(other, x, field)))))
        return found

    def _equal(self, left: int, right: int) -> Any:
        one, two = self.view.there[left], self.view.there[right]
        return conj(one == two, implies(one, self.view.where[left] == self.view.where[right]))

    def step(self, step: steps.Plain, before: Structure, after: Structure) -> tuple[list[Any], View]:
        """Enabling condition of a step between two structures, and the view after it."""
        formulas, view = self._step(step, before, after)
        return formulas, replace(view, behind=step)

    def _step(self, step: steps.Plain, before: Structure, after: Structure) -> tuple[list[Any], View]:
        view = self.view
        match step:
            case steps.Copy(target, source):
                there = self.symbols.truth(False) if source is None else view.there[source]
                where = view.where[target] if source is None else view.where[source]
                return [], _moved(view, target, there, where)
            case steps.Load(target, base, field):
                if target is None:
                    return self._valid(base), view
                there = self.symbols.boolean("there after")
                where = self.loaded
                leads = self.successor(view.where[base], there, where, field)
                return [*self._valid(base), leads], _moved(view, target, there, where)
            case steps.Write(base, value, field):
                updated = self.update.written(self, Change(before, after, field, base, value))
                return [*self._valid(base), *self._no_cycle(step), *updated.formulas], _along(view, field, updated.path)
            case steps.Release(base):
                gone, formulas = view.where[base], self._valid(base)
                for field in range(self.vocabulary.fields):
                    updated = self.update.written(self, Change(before, after, field, base, None))
                    formulas += updated.formulas
                    view = _along(view, field, updated.path)
                return formulas, replace(view, alloc=lambda x: conj(self.alloc(x), x != gone))
            case steps.IsNull(variable, truth):
                there = view.there[variable]
                return [negation(there) if truth else there], view
            case steps.Same(left, right, truth):
                equal = self._equal(left, right)
                return [equal if truth else negation(equal)], view
            case steps.Shape() as shape:
                formula = shaped(self, shape)
                return [formula if shape.truth else negation(formula)], view
            case steps.Create() | steps.HavocVariable() | steps.Idle():
                return [], view  # transformed without the prover

    def _valid(self, base: int) -> list[Any]:
        there = [self.view.there[base]]
        return [*there, self.alloc(self.view.where[base])] if self.vocabulary.allocation else there

    def _no_cycle(self, write: steps.Write) -> list[Any]:
        if write.value is None:
            return []
        there, new = self.view.there[write.value], self.view.where[write.value]
        return [implies(there, negation(self.paths[write.field](new, self.view.where[write.base])))]

    def successor(self, here: Any, there: Any, where: Any, field: int = 0) -> Any:
        """The successor of an object, or that it has none."""
        return self._leading(self.paths[field], here, there, where)

    def leads(self, change: Change) -> Any:
        """After a write the value is the successor of the written object."""
        view, value = self.view, change.value
        here = view.where[change.base]
        none = self.symbols.truth(False)
        there, where = (none, here) if value is None else (view.there[value], view.where[value])
        return self._leading(self.later_path(change.field), here, there, where)

    def _leading(self, path: Relation, here: Any, there: Any, where: Any) -> Any:
        x = self.any[0]
        beyond = conj(path(here, x), x != here)
        nothing = for_all([x], negation(beyond))
        nearest = conj(path(here, where), for_all([x], implies(beyond, path(where, x))))
        if self.vocabulary.cyclic:
            itself = implies(where == here, nothing)
            return ite(there, conj(negation(self.ends(here)), nearest, itself), self.ends(here))
        return ite(there, conj(nearest, where != here), nothing)

    def later_path(self, field: int) -> Function:
        """Reachability after a write as a separate relation."""
        return self._between(f"path {field} after")


def _singles(structure: Structure) -> tuple[bool, ...]:
    """The part of a structure that formulas of nodes depend on."""
    return tuple(node.single for node in structure.nodes)


def _along(view: View, field: int, path: Relation) -> View:
    return replace(view, paths=(*view.paths[:field], path, *view.paths[field + 1 :]))


def _moved(view: View, variable: int, there: Any, where: Any) -> View:
    return replace(
        view,
        there=(*view.there[:variable], there, *view.there[variable + 1 :]),
        where=(*view.where[:variable], where, *view.where[variable + 1 :]),
    )
