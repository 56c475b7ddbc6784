"""Translation of a program to steps over structs with pointer fields.

    task = translate(program)
    task.vocabulary.variables                  # the relevant pointer variables
    task.arcs                                  # the steps, against the flow of control
    task.obligations                           # obligations, and the structures that violate them

Integers are not tracked: conditions on them are nondeterministic. Inputs are acyclic and no pointer dangles, and every
`x->f = y` has the obligation that y does not reach x, so that fields stay acyclic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.engines.infer.algorithm import Arc
from heapwright.engines.infer.function_body import AT_ENTRY, body_edges, is_parameter
from heapwright.engines.infer.heaps import supported_programs as supported
from heapwright.engines.infer.heaps.forward_analysis import LocationFacts, location_facts
from heapwright.engines.infer.heaps.negated_assertions import Obligation, Obligations
from heapwright.engines.infer.heaps.object_layout import ObjectLayout
from heapwright.engines.infer.heaps.pointer_facts import SAME
from heapwright.engines.infer.heaps.prover.terms import extended, parent, split
from heapwright.engines.infer.heaps.steps import (
    Copy,
    Create,
    HavocVariable,
    Idle,
    IsNull,
    Release,
    Same,
    Shape,
    Step,
    Write,
)
from heapwright.engines.infer.heaps.steps import Load as LoadStep
from heapwright.engines.infer.heaps.structure import READ, Tree, Vocabulary
from heapwright.engines.infer.heaps.supported_programs import decided, threaded
from heapwright.program import commands as c
from heapwright.program.expressions import IntVar, Junk, Literal, Null, PointerCompare, ShapeLiteral, Var
from heapwright.program.graph import Edge, Program

Place = tuple[int, str, tuple[str, ...]]  # a location, a variable there, and fields
WITNESSES = ("one, of a larger key", "another, of a smaller key")  # no variable of a program has a name like this


@dataclass(frozen=True, slots=True)
class Task:
    """`inputs` are the variables that hold the inputs at location `start`, where the body begins; `copies` the other
    variables to which the prologue has assigned them."""

    program: Program
    layout: ObjectLayout
    start: int
    inputs: tuple[str, ...]
    copies: tuple[tuple[str, str], ...]
    vocabulary: Vocabulary
    arcs: tuple[Arc[Step], ...]
    obligations: tuple[Obligation, ...]
    frees: bool
    news: bool
    entry: int  # where the prologue begins, which gives ghosts their values
    prologue: tuple[Arc[Step], ...] = ()
    ignores: bool = False  # an assumed shape is not tracked
    doubly: tuple[tuple[int, int], ...] = ()  # fields by which the function tests for doubly linked lists

    @property
    def fields(self) -> tuple[str, ...]:
        return self.layout.names

    @property
    def kinds(self) -> tuple[int, ...]:
        """The types of what the inputs point to."""
        return tuple(self.layout.types.index(self.program.variables[name].target) for name in self.inputs)


def translate(program: Program, *, cycles: bool = False) -> Task:
    """`cycles`: inputs may be cyclic, which requires a function that only reads one pointer field."""
    start, bound = _prologue(program)
    edges = body_edges(program, start)
    supported.require_supported(program, edges)
    layout = supported.object_layout(program, edges)
    for field in range(len(layout.fields)):
        supported.require_written_first(edges, layout, field)
    if cycles:
        supported.require_read_only(edges, layout.names)
    supported.require_initialised(program, start, edges, {target for target, _ in bound})
    inputs = tuple(target for target, _ in bound if is_parameter(program, target))
    needed = supported.relevant(edges)
    named = [*inputs, *(name for edge in edges for name in supported.read_variables(edge.command) if name in needed)]
    frees = any(isinstance(edge.command, c.Free) for edge in edges)
    news = any(isinstance(edge.command, c.New) for edge in edges)
    key = "" if news or cycles or layout.several else supported.ordered_key(edges)
    pair = not (key or news or cycles or layout.several) and supported.asserts_doubly_linked(edges)
    variables = tuple(dict.fromkeys(named))
    supported.require_typed(program, layout, variables)
    ghosts = _Ghosts(program, edges, variables, inputs, layout)
    found = ghosts.terms(start) if layout.names[0] and not cycles else ()
    roots = {} if cycles or layout.several else ghosts.trees(start, found)
    trees = tuple(dict.fromkeys(roots.values()))
    vocabulary = Vocabulary(
        (*variables, *found, *(tree.name for tree in trees), *(WITNESSES if key or pair else ())),
        frees or news or supported.tests_allocation(edges),
        key,
        len(layout.fields),
        cycles,
        supported.kinds_of(program, layout, (*variables, *found)) if layout.several else (),
        tuple((field.source, field.target) for field in layout.fields) if layout.several else (),
        trees,
        pair,
    )
    number = {name: index for index, name in enumerate(vocabulary.variables)}
    translation = Translation(program, vocabulary, number, layout, supported.after_free(edges), frees and news, roots)
    arcs = [Arc(edge.target, step, edge.source) for edge in threaded(edges) for step in _steps(edge, translation)]
    obligations = Obligations(program, vocabulary, number, layout, frees, frees and news, roots).of(edges)
    sources = {source: target for target, source in bound if target in inputs}
    copies = [(target, sources[source]) for target, source in bound if source in sources and target not in inputs]
    copies += list(sources.items())
    entry, first = prologue_arcs(number, found, start)
    return Task(
        program,
        layout,
        start,
        inputs,
        tuple(copies),
        vocabulary,
        tuple(arcs),
        obligations,
        frees,
        news,
        entry,
        tuple(first),
        any(translation.ignores(edge) for edge in edges),
        () if cycles else supported.doubly_linked_fields(program, edges, layout),
    )


# --- where the body begins -------------------------------------------------------------------------------------------


def _prologue(program: Program) -> tuple[int, list[tuple[str, str]]]:
    """The location after the inputs have been bound, and which variable holds which input pointer."""
    location, pointers, numbers, bound = program.graph.entry, set[str](), set[str](), list[tuple[str, str]]()
    while len(program.graph.successors[location]) == 1:
        edge = program.graph.successors[location][0]
        match edge.command:
            case c.AnyPointer(target, _) if _is_bound(program, edge.target, target, bound):
                pointers.add(target)
            case c.Havoc(target):
                numbers.add(target)
            case c.Assign(target, Var(name)) if name in pointers:
                bound.append((target, name))
            case c.Compute(target, IntVar(name)) if name in numbers:
                pass  # integers are not tracked
            case c.Skip():
                pass
            case _:
                break
        location = edge.target
    if not program.entry.any_heap:
        raise InputError("no function given", hint="name one with -f")
    return location, bound


def _is_bound(program: Program, location: int, pointer: str, bound: list[tuple[str, str]]) -> bool:
    """Whether a pointer is an input: it is saved as that of a parameter, or initialises a global variable. One that the
    body requests is neither."""
    for edge in program.graph.successors[location]:
        match edge.command:
            case c.Assign(target, Var(name)) if name == pointer:
                first = all(target != other for other, _ in bound)
                return target.endswith(AT_ENTRY) or (first and not program.variables[target].function)
    return False


# --- ghosts ----------------------------------------------------------------------------------------------------------

MOST_GHOSTS = 4
LONGEST = 3  # path of a ghost


def prologue_arcs(number: dict[str, int], ghosts: Sequence[str], start: int) -> tuple[int, list[Arc[Step]]]:
    """Steps before the body that give ghosts their values, and where they begin; their locations are negative."""
    arcs: list[Arc[Step]] = []
    for index, ghost in enumerate(reversed(ghosts)):
        here, null, given = -10 - 3 * index, -11 - 3 * index, -12 - 3 * index
        after = start if index == 0 else here + 3
        base, target, field = number[parent(ghost)], number[ghost], split(ghost)[1][-1:]
        value: Step = LoadStep(target, base, field[0]) if field else Copy(target, base)
        arcs += [Arc(null, IsNull(base, True), here), Arc(after, Copy(target, None), null)]
        arcs += [Arc(given, IsNull(base, False), here), Arc(after, value, given)]
    return (-7 - 3 * len(ghosts) if ghosts else start), arcs


@dataclass(frozen=True, slots=True)
class _Ghosts:
    """Access paths whose values at the entry are worth a ghost: the body reads a field of what they lead to."""

    program: Program
    edges: Sequence[Edge[c.Command]]
    variables: tuple[str, ...]
    inputs: tuple[str, ...]
    layout: ObjectLayout

    def terms(self, start: int) -> tuple[str, ...]:
        found: list[str] = []
        while len(found) < MOST_GHOSTS:
            new = next(self._read(start, found), None)
            if new is None:
                break
            found.append(new)
        return tuple(found)

    def trees(self, start: int, found: Sequence[str]) -> dict[Place, Tree]:
        """The tests for trees that are about what a term led to at the entry, as no pointer field has changed."""
        tests = [(edge, edge.command.literal) for edge in self.edges if isinstance(edge.command, c.Assume | c.Assert)]
        shapes = [(edge, one) for edge, one in tests if isinstance(one, ShapeLiteral) and one.predicate == "tree"]
        changed = supported.after_change(self.edges)
        if all(edge.source in changed for edge, _ in shapes):
            return {}
        number, _, known = self._analysed(start, found)
        terms: dict[Place, Tree] = {}
        names: dict[tuple[str, int, int], str] = {}
        for edge, literal in shapes:
            pointer = literal.pointers[0]
            fields = [self.layout.names.index(name) for name in literal.fields[:2]]
            if not isinstance(pointer, Var) or edge.source in changed or edge.source not in known:
                continue
            for term in (*(f"{name}{READ}" for name in self.inputs), *found):
                same = (SAME, number[pointer.name], number[term])
                if any(all(same in state.facts for state in states) for states in known[edge.source]):
                    key = (term.rstrip(READ), fields[0], fields[1])
                    name = names.setdefault(key, f"tree {len(names)}")
                    terms[edge.source, pointer.name, literal.fields[:2]] = Tree(name, *key)
                    break
        return terms

    def _analysed(self, start: int, found: Sequence[str]) -> tuple[dict[str, int], list[Arc[Step]], LocationFacts]:
        """Numbers of variables, steps and facts where terms are ghosts. Inputs have copies here, as the body may change
        their variables."""
        copies = [f"{name}{READ}" for name in self.inputs]
        ghosts = [*copies, *found]
        number = {name: index for index, name in enumerate((*self.variables, *ghosts))}
        freed = supported.after_free(self.edges)
        translation = Translation(self.program, Vocabulary(tuple(number)), number, self.layout, freed, False, {})
        arcs = [
            Arc(edge.target, step, edge.source) for edge in threaded(self.edges) for step in _steps(edge, translation)
        ]
        begin, first = prologue_arcs(number, ghosts, start)
        known = location_facts((*first, *arcs), begin, len(number), len(self.layout.fields))
        return number, arcs, known

    def _read(self, start: int, found: list[str]) -> Iterator[str]:
        """A field that is read of the value of a term, where the forward analysis knows it."""
        number, arcs, known = self._analysed(start, found)
        for arc in sorted(arcs, key=lambda arc: arc.target):
            step = arc.step
            if not isinstance(step, LoadStep) or step.target is None or arc.target not in known:
                continue
            along = known[arc.target]
            for term in (*(f"{name}{READ}" for name in self.inputs), *found):
                same = (SAME, step.base, number[term])
                if any(all(same in state.facts for state in states) for states in along):
                    new = extended(term.rstrip(READ), (step.field,))
                    if new not in found and len(split(new)[1]) <= LONGEST:
                        yield new


# --- steps -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Translation:
    """`freed`: locations at which an object may have been freed. `reuse`: a new object may have the address of a freed
    one, so that comparisons of pointers are nondeterministic."""

    program: Program
    vocabulary: Vocabulary
    number: dict[str, int]
    layout: ObjectLayout
    freed: frozenset[int]
    reuse: bool
    trees: Mapping[Place, Tree]

    def ignores(self, edge: Edge[c.Command]) -> bool:
        """Whether a shape is tested that is not tracked."""
        command = edge.command
        if not isinstance(command, c.Assume) or not isinstance(command.literal, ShapeLiteral):
            return False
        always = command.literal.predicate == "acyclic" and not self.vocabulary.cyclic
        return not always and isinstance(self.shape(command.literal, edge.source), Idle)

    def shape(self, literal: ShapeLiteral, location: int) -> Step:
        """A shape that holds where a run continues. It is false where it would have to read a freed object."""
        names = [p.name for p in literal.pointers if isinstance(p, Var) and p.name in self.number]
        along = self.field(names[0], literal.fields[0]) if names else None
        if len(names) != len(literal.pointers) or along is None or not self.layout.loops(along):
            return Idle()
        variables = tuple(self.number[name] for name in names)
        match literal.predicate, literal.negated:
            case "acyclic" | "cyclic" as predicate, negated if self.vocabulary.cyclic:
                return Shape(predicate, variables, along, not negated)
            case "cyclic", negated:
                return IsNull(variables[0], not negated)
            case "tree", negated:
                return self._tree(literal, names[0], location, not negated)
            case "dll", negated if not (self.vocabulary.cyclic or (negated and location in self.freed)):
                back = self.field(names[0], literal.fields[1])
                return Idle() if back is None else Shape("dll", variables, along, not negated, back)
            case "reach" | "disjoint" as predicate, negated if not (negated and location in self.freed):
                return Shape(predicate, variables, along, not negated)
            case "all_reachable", negated if (
                self.vocabulary.allocation and not self.layout.several and not (negated and location in self.freed)
            ):
                return Shape("covered", variables, along, not negated)
            case "sorted" | "sorted_down" as order, False if self._has_key(literal, along):
                larger, smaller = self.vocabulary.witnesses or (0, 0)
                ends = (larger, smaller) if order == "sorted" else (smaller, larger)
                return Shape("ordered", (*ends, *variables), along)
        return Idle()

    def _tree(self, literal: ShapeLiteral, name: str, location: int, truth: bool) -> Step:
        tree = self.trees.get((location, name, literal.fields[:2]))
        if not truth:
            return Idle() if tree is None else IsNull(self.number[tree.name], False)
        ghosts = () if tree is None else (self.number[tree.name],)
        left, right = (self.field(name, one) for one in literal.fields[:2])
        if left is None or right is None:
            return Idle()
        return Shape("tree", (self.number[name], *ghosts), left, truth, right)

    def field(self, name: str, field: str) -> int | None:
        """The number of a field of what a variable points to."""
        return self.layout.number(self.program.variables[name].target, field)

    def _has_key(self, literal: ShapeLiteral, along: int) -> bool:
        return bool(self.vocabulary.key) and literal.fields[1] == self.vocabulary.key and along == 0


def _steps(edge: Edge[c.Command], translation: Translation) -> list[Step]:
    """The steps of a command, one for each outcome."""
    number = translation.number
    match edge.command:
        case c.Assign(target, _) if target not in number:
            return [Idle()]
        case c.Assign(target, Null()):
            return [Copy(number[target], None)]
        case c.Assign(target, Var(name)) if name in number:
            return [Copy(number[target], number[name])]
        case c.Assign(target, _):
            return [HavocVariable(number[target])]
        case c.Load(target, base, field):
            return [LoadStep(number.get(target), number[base], _accessed(translation, base, field))]
        case c.LoadData(_, base) | c.StoreData(base):
            return [LoadStep(None, number[base])]
        case c.Store(base, field, value):
            if isinstance(value, Junk):
                raise UnsupportedError("a store of an uninitialised pointer")
            stored = number[value.name] if isinstance(value, Var) else None
            return [Write(number[base], stored, _accessed(translation, base, field))]
        case c.New(target, may_fail=may_fail):
            if target not in number:
                raise UnsupportedError("memory that is allocated and never used in a precondition")
            create: list[Step] = [Create(number[target])]
            return [*create, Copy(number[target], None)] if may_fail else create
        case c.Free(base):
            return [IsNull(number[base], True), Release(number[base])]
        case c.Assume(literal) | c.Assert(literal):
            return [] if decided(literal) is False else [_test(literal, translation, edge.source)]
        case _:
            return [Idle()]


def _accessed(translation: Translation, base: str, field: str) -> int:
    found = translation.field(base, field)
    assert found is not None, "every field that is accessed has a number"
    return found


def _test(literal: Literal, translation: Translation, location: int) -> Step:
    number = translation.number
    match literal:
        case ShapeLiteral():
            return translation.shape(literal, location)
        case PointerCompare("==" | "!=" as op, Var(left), Var(right)) if not translation.reuse:
            return Same(number[left], number[right], op == "==")
        case PointerCompare("==" | "!=" as op, Var(name), Null()) | PointerCompare(
            "==" | "!=" as op, Null(), Var(name)
        ):
            return IsNull(number[name], op == "==")
        case _:
            return Idle()  # integers are not tracked
