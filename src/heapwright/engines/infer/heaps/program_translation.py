"""Translation of a program to steps over one struct type with pointer fields to it.

    task = translate(program)
    task.vocabulary.variables                  # the relevant pointer variables
    task.arcs                                  # the steps, against the flow of control
    task.obligations                           # obligations, and the structures that violate them

Integers are not tracked: conditions on them are nondeterministic. Inputs are acyclic and no pointer dangles, and every
`x->f = y` has the obligation that y does not reach x, so that fields stay acyclic.
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.engines.infer.algorithm import Arc
from heapwright.engines.infer.function_body import AT_ENTRY, is_parameter, region
from heapwright.engines.infer.heaps import supported_programs as supported
from heapwright.engines.infer.heaps.negated_assertions import Obligation, Obligations
from heapwright.engines.infer.heaps.steps import Copy, Create, HavocVariable, Idle, IsNull, Release, Same, Step, Write
from heapwright.engines.infer.heaps.steps import Load as LoadStep
from heapwright.engines.infer.heaps.structure import Vocabulary
from heapwright.program import commands as c
from heapwright.program.expressions import IntVar, Junk, Literal, Null, PointerCompare, Var
from heapwright.program.graph import Program

WITNESSES = ("a larger key", "a smaller key")  # no variable of a program has a name like this


@dataclass(frozen=True, slots=True)
class Task:
    """`inputs` are the variables that hold the inputs at location `start`, where the body begins; `copies` the other
    variables to which the prologue has assigned them."""

    program: Program
    type: str
    fields: tuple[str, ...]
    start: int
    inputs: tuple[str, ...]
    copies: tuple[tuple[str, str], ...]
    vocabulary: Vocabulary
    arcs: tuple[Arc[Step], ...]
    obligations: tuple[Obligation, ...]
    frees: bool
    news: bool


def translate(program: Program, *, cycles: bool = False) -> Task:
    """`cycles`: inputs may be cyclic, which requires a function that only reads one pointer field."""
    start, bound = _prologue(program)
    edges = region(program, start)
    supported.require_supported(program, edges)
    kind, fields = supported.object_type(program, edges)
    for field in fields:
        supported.require_written_first(edges, field)
    if cycles:
        supported.require_read_only(edges, fields)
    supported.require_initialised(program, start, edges, {target for target, _ in bound})
    inputs = tuple(target for target, _ in bound if is_parameter(program, target))
    needed = supported.relevant(edges)
    named = [*inputs, *(name for edge in edges for name in supported.read_variables(edge.command) if name in needed)]
    frees = any(isinstance(edge.command, c.Free) for edge in edges)
    news = any(isinstance(edge.command, c.New) for edge in edges)
    key = "" if news or cycles else supported.ordered_key(edges)
    vocabulary = Vocabulary(
        (*dict.fromkeys(named), *(WITNESSES if key else ())),
        frees or news or supported.tests_allocation(edges),
        key,
        len(fields),
        cycles,
    )
    number = {name: place for place, name in enumerate(vocabulary.variables)}
    arcs = [
        Arc(edge.target, step, edge.source)
        for edge in edges
        for step in _steps(edge.command, number, fields, frees and news)
    ]
    obligations = Obligations(program, vocabulary, number, fields, frees, reuse=frees and news).of(edges)
    sources = {source: target for target, source in bound if target in inputs}
    copies = [(target, sources[source]) for target, source in bound if source in sources and target not in inputs]
    copies += list(sources.items())
    return Task(program, kind, fields, start, inputs, tuple(copies), vocabulary, tuple(arcs), obligations, frees, news)


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


# --- steps -----------------------------------------------------------------------------------------------------------


def _steps(command: c.Command, number: dict[str, int], fields: tuple[str, ...], reuse: bool) -> list[Step]:
    """The steps of a command, one for each outcome. `reuse`: a new object may have the address of a freed one, so that
    comparisons of pointers are nondeterministic."""
    match command:
        case c.Assign(target, _) if target not in number:
            return [Idle()]
        case c.Assign(target, Null()):
            return [Copy(number[target], None)]
        case c.Assign(target, Var(name)) if name in number:
            return [Copy(number[target], number[name])]
        case c.Assign(target, _):
            return [HavocVariable(number[target])]
        case c.Load(target, base, field):
            return [LoadStep(number.get(target), number[base], fields.index(field))]
        case c.LoadData(_, base) | c.StoreData(base):
            return [LoadStep(None, number[base])]
        case c.Store(base, field, value):
            if isinstance(value, Junk):
                raise UnsupportedError("a store of an uninitialised pointer")
            return [Write(number[base], number[value.name] if isinstance(value, Var) else None, fields.index(field))]
        case c.New(target, may_fail=may_fail):
            if target not in number:
                raise UnsupportedError("memory that is allocated and never used in a precondition")
            create: list[Step] = [Create(number[target])]
            return [*create, Copy(number[target], None)] if may_fail else create
        case c.Free(base):
            return [IsNull(number[base], True), Release(number[base])]
        case c.Assume(literal) | c.Assert(literal):
            return [_test(literal, number, reuse)]
        case _:
            return [Idle()]


def _test(literal: Literal, number: dict[str, int], reuse: bool) -> Step:
    match literal:
        case PointerCompare("==" | "!=" as op, Var(left), Var(right)) if not reuse:
            return Same(number[left], number[right], op == "==")
        case PointerCompare("==" | "!=" as op, Var(name), Null()) | PointerCompare(
            "==" | "!=" as op, Null(), Var(name)
        ):
            return IsNull(number[name], op == "==")
        case _:
            return Idle()  # integers are not tracked, and assumed shapes only restrict the failing inputs
