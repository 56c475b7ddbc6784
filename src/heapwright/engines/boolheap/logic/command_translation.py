"""Translation of program commands to commands over heap formulas, with their guards.

A command has alternatives: `free(p)` does nothing to null; an allocation may fail. Its checks are assumed to have
passed. Comparisons with an undetermined result (junk; a dangling pointer and an object) have both outcomes.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.heap_commands import Count, Create, End, HeapCommand, Link, Point, Suppose, Write
from heapwright.logic.connectives import TRUE
from heapwright.program import commands as c
from heapwright.program import expressions as e
from heapwright.program.graph import Program
from heapwright.program.printer import format_command
from heapwright.program.types import ValueKind

Alternatives = tuple[tuple[HeapCommand, ...], ...]


def term_of(pointer: e.Pointer) -> f.Term:
    match pointer:
        case e.Var(id):
            return f.Name(id)
        case e.Null():
            return f.NULL
        case e.Junk():
            return f.JUNK


def number_of(expr: e.Expr) -> f.Numeric | None:
    """The exact value of a C expression as a term; None if it is unknown."""
    match expr:
        case e.Const(value, _):
            return f.Constant(value)
        case e.IntVar(id, _):
            return f.Number(id)
        case e.Convert(operand, type):
            inner = operand.type
            if type.minimum <= inner.minimum and inner.maximum <= type.maximum:
                return number_of(operand)
    return None


Cases = tuple[tuple[f.Formula, f.Numeric | None], ...]


def cases_of(expr: e.Expr) -> Cases:
    """The values of an expression, each under a condition; None is any number. A sum wraps around."""
    exact = number_of(expr)
    if exact is not None or not isinstance(expr, e.Binary) or expr.op not in ("+", "-"):
        return ((TRUE, exact),)
    left, right = number_of(expr.left), number_of(expr.right)
    if isinstance(left, f.Constant) and expr.op == "+":
        left, right = right, left
    if left is None or isinstance(left, f.Constant) or not isinstance(right, f.Constant):
        return ((TRUE, None),)
    constant, around = right.value if expr.op == "+" else -right.value, 1 << expr.type.bits
    plain = f.plus(left, constant)
    if constant > 0:
        over = f.less(f.Constant(expr.type.maximum - constant), left)
        return (f.negation(over), plain), (over, f.plus(left, constant - around))
    under = f.less(left, f.Constant(expr.type.minimum - constant))
    return (f.negation(under), plain), (under, f.plus(left, constant + around))


def condition(literal: e.Literal) -> f.Formula:
    """A formula that is implied by the literal."""
    match literal:
        case e.Compare(op, left, right):
            return _compared(op, cases_of(left), cases_of(right)) or TRUE
        case e.PointerCompare(op, left, right):
            return _pointers(op, term_of(left), term_of(right))
        case e.ShapeLiteral():
            # A true literal implies what `shape` claims, except that "reach" reads no further than its second object.
            found = None if literal.predicate == "reach" else shape(literal)
            return TRUE if found is None else f.conj(found.closed, found.everywhere)


def _compared(op: str, left: Cases, right: Cases) -> f.Formula | None:
    """The comparison by cases; None if a side is not known."""
    found = []
    for (one, first), (other, second) in itertools.product(left, right):
        if first is None or second is None:
            return None
        found.append(f.conj(one, other, f.comparison("=" if op == "==" else op, first, second)))
    return f.disj(*found)


def _pointers(op: str, left: f.Term, right: f.Term) -> f.Formula:
    equal = f.eq(left, right)
    unclear = f.disj(f.eq(left, f.JUNK), f.eq(right, f.JUNK))
    if op == "!=":
        return f.disj(f.negation(equal), unclear)
    if op != "==":
        return TRUE
    objects = [f.negation(f.eq(one, end)) for one in (left, right) for end in (f.NULL, f.JUNK)]
    dangling = f.disj(f.negation(f.alive(left)), f.negation(f.alive(right)))
    return f.disj(equal, unclear, f.conj(*objects, dangling))


@dataclass(frozen=True, slots=True)
class Claim:
    """A condition: a closed formula, and one that must hold of every object `v`."""

    closed: f.Formula
    everywhere: f.Formula = TRUE


def claim(literal: e.Literal) -> Claim | None:
    """A sufficient condition for the literal, whatever undetermined comparisons yield; None if it is not
    supported."""
    match literal:
        case e.PointerCompare("==", left, right):
            first, second = term_of(left), term_of(right)
            return Claim(f.conj(f.eq(first, second), f.negation(f.eq(first, f.JUNK)), f.negation(f.eq(second, f.JUNK))))
        case e.PointerCompare("!=", left, right):
            first, second = term_of(left), term_of(right)
            clear = f.conj(f.negation(f.eq(first, f.JUNK)), f.negation(f.eq(second, f.JUNK)))
            certain = f.disj(f.eq(first, f.NULL), f.eq(second, f.NULL), f.conj(f.alive(first), f.alive(second)))
            return Claim(f.conj(f.negation(f.eq(first, second)), clear, certain))
        case e.Compare(op, left, right):
            compared = _compared(op, cases_of(left), cases_of(right))
            return None if compared is None else Claim(compared)
        case e.ShapeLiteral():
            return shape(literal)
    return None


def shape(literal: e.ShapeLiteral) -> Claim | None:
    """The predicates of heapwright.h that formulas can express. They are false if they would read dead or uninitialised
    memory, so that all objects on a path must be alive."""
    if literal.negated or any("/" in one for one in literal.fields):
        return None
    ends, link = [term_of(one) for one in literal.pointers], literal.fields[0]
    first = ends[0]

    def sound_path(start: f.Term) -> f.Formula:
        return f.implies(f.reach(link, start, f.V), f.disj(f.eq(f.V, f.NULL), f.alive(f.V)))

    match literal.predicate:
        case "acyclic":
            return Claim(f.reach(link, first, f.NULL), sound_path(first))
        case "cyclic":
            comes_back = f.disj(f.eq(first, f.NULL), f.reach(link, f.field(link, first), first))
            return Claim(comes_back, sound_path(first))
        case "reach":
            last = ends[1]
            return Claim(
                f.conj(f.reach(link, first, last), f.disj(f.eq(last, f.NULL), f.alive(last))), sound_path(first)
            )
        case "disjoint":
            apart = f.disj(
                f.eq(f.V, f.NULL), f.negation(f.reach(link, first, f.V)), f.negation(f.reach(link, ends[1], f.V))
            )
            return Claim(TRUE, f.conj(apart, sound_path(first), sound_path(ends[1])))
        case "sorted" | "sorted_down":
            in_order = f.disj(f.eq(f.V, f.NULL), ordered(literal))
            return Claim(
                f.reach(link, first, f.NULL), f.conj(sound_path(first), f.implies(f.reach(link, first, f.V), in_order))
            )
        case "dll":
            following = f.field(link, f.V)
            back = f.disj(f.eq(f.V, f.NULL), f.eq(following, f.NULL), f.eq(f.field(literal.fields[1], following), f.V))
            return Claim(
                f.reach(link, first, f.NULL), f.conj(sound_path(first), f.implies(f.reach(link, first, f.V), back))
            )
    return None


def ordered(literal: e.ShapeLiteral) -> f.Formula:
    """What `sorted` says of each object: it is the last one, or its key is in order with the next one."""
    link, key = literal.fields
    here, there = f.Data(key, f.V), f.Data(key, f.field(link, f.V))
    wrong = f.less(there, here) if literal.predicate == "sorted" else f.less(here, there)
    return f.disj(f.eq(f.field(link, f.V), f.NULL), f.negation(wrong))


# --- steps -----------------------------------------------------------------------------------------------------------


def translate_command(command: c.Command, program: Program, counts: bool = True) -> Alternatives:
    """The heap commands of a command; without `counts` integers are not tracked."""
    match command:
        case c.Assume(e.Compare()) | c.Assert(e.Compare(), _) if not counts:
            return ((),)
        case c.Compute() | c.Havoc() | c.LoadData() | c.StoreData() | c.LoadDataCell():
            return _numbers(command, counts)
        case c.Assign(target, value):
            return ((Point(target, term_of(value)),),)
        case c.Load(target, base, link):
            return ((Suppose(f.alive(f.name(base))), Point(target, f.field(link, f.name(base)))),)
        case c.Store(base, link, value):
            return ((Suppose(f.alive(f.name(base))), Link(f.name(base), link, term_of(value))),)
        case c.New():
            return _allocated(command, program)
        case c.Free(base):
            return (
                (Suppose(f.eq(f.name(base), f.NULL)),),
                (Suppose(f.alive(f.name(base))), *_ended(base, program)),
            )
        case c.Leave(base):
            return (_ended(base, program),)
        case c.Assume(literal) | c.Assert(literal, _):
            return ((Suppose(condition(literal)),),)
        case c.AnyPointer(target, _):
            return ((Suppose(_chosen(command, program)), Point(target, f.CHOSEN)),)
        case c.Skip() | c.Inspect():
            return ((),)
        case c.LoadCell(target, base):  # what cells hold is not tracked
            return ((Suppose(f.alive(f.name(base))), Point(target, f.CHOSEN)),)
        case c.StoreCell(base) | c.StoreDataCell(base):
            return ((Suppose(f.alive(f.name(base))),),)
        case (
            c.Follow()
            | c.Shift()
            | c.Reinterpret()
            | c.Scramble()
            | c.Distance()
            | c.Length()
            | c.External()
            | c.Copy()
            | c.Fill()
            | c.Protect()
        ):
            raise AssertionError(f"not followed: {format_command(command)}")


def _numbers(command: c.Compute | c.Havoc | c.LoadData | c.StoreData | c.LoadDataCell, counts: bool) -> Alternatives:
    """Steps of integers."""
    match command:
        case c.LoadData(_, base) | c.StoreData(base) | c.LoadDataCell(_, base) if not counts:
            return ((Suppose(f.alive(f.name(base))),),)
        case _ if not counts:
            return ((),)
        case c.Compute(target, value):
            return tuple((Suppose(guard), Count(target, number)) for guard, number in cases_of(value))
        case c.Havoc(target):
            return ((Count(target, None),),)
        case c.LoadData(target, base, link):
            return ((Suppose(f.alive(f.name(base))), Count(target, f.Data(link, f.name(base)))),)
        case c.StoreData(base, link, value):
            alive = f.alive(f.name(base))
            return tuple(
                (Suppose(f.conj(alive, guard)), Write(f.name(base), link, number)) for guard, number in cases_of(value)
            )
        case c.LoadDataCell(target, base):
            return ((Suppose(f.alive(f.name(base))), Count(target, None)),)


def has_inputs(program: Program) -> bool:
    return any(isinstance(edge.command, c.AnyPointer) for edge in program.graph.edges)


def chooses(program: Program) -> bool:
    """Whether a step chooses an object: an input, or what an array holds."""
    return any(isinstance(edge.command, c.AnyPointer | c.LoadCell) for edge in program.graph.edges)


def _chosen(command: c.AnyPointer, program: Program) -> f.Formula:
    """An input points to null or to an input object, which must be alive only if the program never frees."""
    graph = program.graph
    ended = graph.after(edge.target for edge in graph.edges if isinstance(edge.command, c.Free | c.Leave))
    if any(edge.command == command for edge in graph.edges if edge.source in ended):
        return f.negation(f.eq(f.CHOSEN, f.JUNK))
    return f.disj(f.eq(f.CHOSEN, f.NULL), f.alive(f.CHOSEN))


def _ended(base: str, program: Program) -> tuple[HeapCommand, ...]:
    """Fields of a dead object are junk, so that paths end there."""
    type = program.types.get(program.variables[base].target)  # None: of any type
    fields = type.fields if type is not None else [one for any in program.types.values() for one in any.fields]
    names = dict.fromkeys(one.name for one in fields if one.kind is ValueKind.POINTER)
    links = (Link(f.name(base), one, f.JUNK) for one in names)
    return (*links, End(f.name(base)))


def _allocated(command: c.New, program: Program) -> Alternatives:
    target = f.name(command.target)
    steps: list[HeapCommand] = [Create(command.target)]
    if command.zeroed:
        for one in program.types[command.type].fields if command.type else ():
            if one.kind is ValueKind.POINTER:
                steps.append(Link(target, one.name, f.NULL))
            else:
                steps.append(Write(target, one.name, f.Constant(0)))
    found: list[tuple[HeapCommand, ...]] = [tuple(steps)]
    if command.may_fail:
        found.append((Point(command.target, f.NULL),))
    return tuple(found)
