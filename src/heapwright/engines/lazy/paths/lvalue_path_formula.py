"""The extended path formula by lvalue constants and may-aliasing (Figure 6 of the paper), without arrays.

`p@3` is the value that p got in the third step, and `p@3->h@5` the h of that object as it was written in the fifth. A
constant stays when its variable changes: it still names an object. A write through p may change the field of every
constant that may be the same object, and does if it is; a load gives a new constant, whose fields are those of the
constant that it equals. So constants that are the same object always have the same fields, which is what makes the
formula as strong as one over arrays (`path_formula`); the rule by which the paper has a store of a pointer compare the
fields of all that may equal it follows from that, and is left out. A block that is not allocated yet is the object of
`#next`, so that an allocation is a copy; what became of a block is a field like any other, which takes care of `free`.

    formula = LvalueFormula(path)
    solver.satisfiable(formula.formulas)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.engines.lazy.logic import terms as t
from heapwright.engines.lazy.logic.substitution import Rebuild
from heapwright.engines.lazy.paths.command_semantics import Assign, Havoc, Require, Semantics, Step, Write
from heapwright.engines.lazy.paths.path_formula import Path, PathStep
from heapwright.logic.connectives import TRUE
from heapwright.program.commands import New

ANYWHERE = -3  # the object of `#next` where no allocation follows


@dataclass(frozen=True, slots=True)
class Constant:
    """A variable as of a step: the object that it held then. `sites` are the allocations that it may come from."""

    name: str
    label: int
    sites: frozenset[int]

    @property
    def text(self) -> str:
        return f"{self.name}@{self.label}"


class _Substituted(Rebuild):
    """Sub of the paper: current constants in place of variables, and field constants in place of cells."""

    def __init__(self, owner: LvalueFormula) -> None:
        super().__init__()
        self.owner = owner

    def variable(self, leaf: t.Variable) -> t.Term:
        return t.var(self.owner.current(leaf.name))

    def cell(self, array: str, index: t.Term) -> t.Term:
        return self.owner.field_of(array, index)


class LvalueFormula:
    """`formulas[i]` is the constraint of the i-th step of the path."""

    def __init__(self, path: Path, steps: Sequence[PathStep] | None = None) -> None:
        self.path = path
        self.steps = path.steps() if steps is None else steps
        self.semantics: Semantics = path.semantics
        self.graph = path.semantics.program.graph
        self.formulas: list[t.Formula] = []
        self._labels: dict[str, int] = {}  # theta of the paper, for variables
        self._fields: dict[tuple[str, str], int] = {}  # ... and for fields of constants
        self._constants: dict[str, Constant] = {}
        self._allocations = [
            (position, number)
            for position, number in enumerate(path.edges)
            if isinstance(self.graph.edges[number].command, New)
        ]
        self._arrays = sorted(frozenset[str]().union(*(_arrays(one.step) for one in self.steps)))
        self._define(t.NEXT, 0, self._next_site(-1))
        for index, path_step in enumerate(self.steps, start=1):
            self.formulas.append(self._con(index, path_step))

    # --- names -----------------------------------------------------------------------------------------------------

    def current(self, name: str) -> str:
        return f"{name}@{self._labels.get(name, 0)}"

    def field_of(self, array: str, index: t.Term) -> t.Term:
        """The field constant of what a variable points to; cells of other terms do not occur in steps."""
        (leaf, _), *_ = index.parts
        assert isinstance(leaf, t.Variable)
        return t.var(self._field(leaf.name, array))  # the variable inside has become its constant by now

    def _field(self, constant: str, array: str) -> str:
        return f"{constant}->{array}@{self._fields.get((constant, array), 0)}"

    def _define(self, name: str, index: int, sites: frozenset[int]) -> Constant:
        self._labels[name] = index
        made = self._constants[f"{name}@{index}"] = Constant(name, index, sites)
        return made

    def _next_site(self, position: int) -> frozenset[int]:
        following = next((number for index, number in self._allocations if index > position), ANYWHERE)
        return frozenset((following,))

    def _sites(self, name: str, position: int) -> frozenset[int]:
        """The points-to set of a variable after an edge of the path."""
        if name == t.NEXT:
            return self._next_site(position)
        if not 0 <= position < len(self.path.edges):
            return frozenset()
        target = self.graph.edges[self.path.edges[position]].target
        return frozenset(site for site in self.semantics.aliases.at(target, name) if site >= 0)

    def _may(self, sites: frozenset[int]) -> list[Constant]:
        """The constants that may be one of some objects."""
        return [one for one in self._constants.values() if not one.sites.isdisjoint(sites)]

    # --- constraints -----------------------------------------------------------------------------------------------

    def _con(self, index: int, path_step: PathStep) -> t.Formula:
        match path_step.step:
            case Assign(name, value) if name == t.NEXT or self.semantics.is_pointer(name):
                return self._pointer(index, path_step.position, name, value)
            case Assign(name, value):
                before = _Substituted(self).term(value)
                self._labels[name] = index
                return t.eq(t.var(self.current(name)), before)
            case Havoc(name):
                self._labels[name] = index
                return TRUE
            case Require(formula):
                return t.conj((self._plain(formula), self._closed(formula)))
            case Write():
                return self._write(index, path_step.step)

    def _plain(self, formula: t.Formula) -> t.Formula:
        return _Substituted(self).formula(formula)

    def _closed(self, formula: t.Formula) -> t.Formula:
        """Pointers that are assumed to be equal have the same fields (clos* of the paper)."""
        if not isinstance(formula, t.Zero) or len(formula.term.parts) != 2 or formula.term.constant:
            return TRUE
        names = [leaf.name for leaf, _ in formula.term.parts if isinstance(leaf, t.Variable)]
        if len(names) != 2 or not all(map(self.semantics.is_pointer, names)):
            return TRUE
        return self._same_fields(self.current(names[0]), self.current(names[1]))

    def _same_fields(self, one: str, other: str) -> t.Formula:
        return t.conj(t.eq(t.var(self._field(one, array)), t.var(self._field(other, array))) for array in self._arrays)

    def _pointer(self, index: int, position: int, name: str, value: t.Term) -> t.Formula:
        """A pointer variable gets a value: a constant of its own, with the fields of what it equals."""
        if name == t.NEXT:
            return self._fresh(index, position)
        found: list[t.Formula] = []
        before = _Substituted(self).term(value)
        sources: list[tuple[t.Formula, str]] = []  # (when, the constant whose fields it has)
        parts = value.parts
        leaf = parts[0][0] if parts else None
        match leaf:
            case t.Variable(source):
                sources.append((TRUE, self.current(source)))
            case t.Choice(condition, then, _):
                assert isinstance(then.parts[0][0], t.Variable)
                sources.append((self._plain(condition), self.current(then.parts[0][0].name)))
            case None:
                pass
            case _:
                sites = self._sites(name, position)
                sources += [(t.eq(before, t.var(one.text)), one.text) for one in self._may(sites)]
        made = self._define(name, index, self._sites(name, position) | self._copied(sources))
        found.append(t.eq(t.var(made.text), before))
        for array in self._arrays:
            own = f"{made.text}->{array}@{index}"
            found += [t.implies(when, t.eq(t.var(own), t.var(self._field(source, array)))) for when, source in sources]
            self._fields[made.text, array] = index
        return t.conj(found)

    def _copied(self, sources: Sequence[tuple[t.Formula, str]]) -> frozenset[int]:
        """A copy of `#next` is what the allocation of its edge makes."""
        return frozenset(
            site
            for _, source in sources
            if source.startswith(f"{t.NEXT}@")
            for site in self._constants[source].sites
            if site != ANYWHERE
        )

    def _fresh(self, index: int, position: int) -> t.Formula:
        """The next block is none of those that there are."""
        others = [one for one in self._constants.values() if one.name == t.NEXT]
        made = self._define(t.NEXT, index, self._sites(t.NEXT, position))
        return t.conj((t.lt(t.num(0), t.var(made.text)), *(t.ne(t.var(made.text), t.var(one.text)) for one in others)))

    def _write(self, index: int, step: Write) -> t.Formula:
        (leaf, _), *_ = step.index.parts
        assert isinstance(leaf, t.Variable)
        base = self._constants.get(self.current(leaf.name))
        value = _Substituted(self).term(step.value)
        if base is None:
            return TRUE  # the variable holds junk since the beginning: no object changes
        found: list[t.Formula] = []
        after: dict[tuple[str, str], int] = {}
        for one in self._may(base.sites):
            old, new = t.var(self._field(one.text, step.array)), t.var(f"{one.text}->{step.array}@{index}")
            here = TRUE if one == base else t.eq(t.var(one.text), t.var(base.text))
            found.append(t.either(here, t.eq(new, value), t.eq(new, old)))
            after[one.text, step.array] = index
        self._fields.update(after)
        return t.conj(found)


def _arrays(step: Step) -> frozenset[str]:
    """The cells that a step reads or writes."""
    match step:
        case Assign(_, value):
            return t.arrays(value)
        case Require(formula):
            return t.arrays(formula)
        case Write(array, _, value):
            return t.arrays(value) | {array}
        case Havoc():
            return frozenset()
