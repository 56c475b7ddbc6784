"""Formulas compiled to Python over bit masks: the values of a formula for all nodes at once.

Kleene's logic falls apart into two 2-valued readings: what may hold and what must hold (a negation swaps them). Each is
compiled on its own, and only where it is asked for: `must` of a constraint's body is all that `coerce` wants. A free
variable is either an axis, over which the answer is a set or a relation, or bound to one node. A quantifier becomes a
loop over the nodes that the cheap conjuncts of its body (the guard) leave, transitive closure a closure of a relation.
Whatever does not depend on a loop is computed before it, once.

The rules that are special to 3-valued structures: `v == w` on one node is 1/2 if the node is a summary; a node that may
be absent makes an existential at most 1/2; if-then-else with an unknown condition is the join of its branches.

>>> from heapwright.logic.formulas import And, Atom, Exists
>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("x", 1), Predicate("n", 2))))
>>> below = Exists(("u",), And((Atom("x", ("u",)), Atom("n", ("u", "v")))))
>>> function = Compiler(signature).function([Request(below, ("v",), MAY), Request(below, ("v",), MUST)])
>>> draft = Draft.empty(signature, 2)
>>> draft.may[4] = draft.must[4] = 0b01       # x = {0}
>>> draft.may[5] = 0b10                       # n = {0->1:1/2}
>>> function(draft.may, draft.must, Layout(2))
(2, 0)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heapwright.engines.tvl.layout import Layout
from heapwright.engines.tvl.structure import BUILT_IN, SUMMARY, Draft, Signature
from heapwright.errors import InputError
from heapwright.logic.formulas import (
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    IfThenElse,
    Iff,
    Kleene,
    Not,
    Or,
    TransitiveClosure,
    Truth,
)

__all__ = ["MAY", "MUST", "Compiler", "Draft", "Evaluate", "Layout", "Request", "negated"]

MAY, MUST = 0, 1
Evaluate = Callable[..., Any]  # (may, must, layout, *nodes of bound variables) -> a mask, or a tuple of masks


@dataclass(frozen=True, slots=True)
class Request:
    """One reading of a formula: as a truth value, a set or a relation, by its number of axes."""

    formula: Formula
    axes: tuple[str, ...]
    reading: int


BUILT_IN_NUMBERS = {predicate.name: number for number, predicate in enumerate(BUILT_IN)}

# How a value depends on the axes: not at all (0 or 1), on the last one (a set), on the first of two (a set, spread to
# the beginnings of rows), on both (a relation).
SCALAR, LAST, FIRST, BOTH = "k", "c", "s", "m"
FULL = {LAST: "full", FIRST: "column", BOTH: "square"}


@dataclass(frozen=True, slots=True)
class Value:
    kind: str
    text: str


ZERO, ONE = Value(SCALAR, "0"), Value(SCALAR, "1")


@dataclass(frozen=True, slots=True)
class Binding:
    """What a variable stands for: an axis (FIRST or LAST), or the node in a local variable of some loop level."""

    kind: str
    name: str = ""
    level: int = 0


Environment = Mapping[str, Binding]
Key = tuple[int, int, tuple[tuple[str, Binding], ...]]


def negated(formula: Formula) -> Formula:
    """The negation, moved one step inwards where there is something to move it through."""
    match formula:
        case Not(operand):
            return operand
        case And(operands):
            return Or(tuple(map(negated, operands)))
        case Or(operands):
            return And(tuple(map(negated, operands)))
        case Exists(variables, body):
            return ForAll(variables, negated(body))
        case ForAll(variables, body):
            return Exists(variables, negated(body))
        case _:
            return Not(formula)


def conjuncts(formula: Formula) -> list[Formula]:
    match formula:
        case And(operands):
            return [part for operand in operands for part in conjuncts(operand)]
        case Not(And() | Or() | Not() | Exists() | ForAll() as operand):
            inner = negated(operand)
            return [inner] if isinstance(inner, Or) else conjuncts(inner)
        case _:
            return [formula]


class Numbering:
    """Numbers formulas so that equal ones get equal numbers, each looked at once, with their free variables."""

    def __init__(self) -> None:
        self._by_object: dict[int, int] = {}
        self._by_shape: dict[tuple[object, ...], int] = {}
        self._kept: list[Formula] = []  # objects must stay alive for their identities to mean anything
        self._free: list[frozenset[str]] = []

    def number(self, formula: Formula) -> int:
        found = self._by_object.get(id(formula))
        if found is not None:
            return found
        inner: tuple[int, ...] = ()
        bound: tuple[str, ...] = ()
        own: tuple[object, ...] = ()
        free: frozenset[str] = frozenset()
        match formula:
            case Truth(value):
                own = (value,)
            case Atom(predicate, arguments):
                own, free = (predicate, arguments), frozenset(arguments)
            case Equal(left, right):
                own, free = (left, right), frozenset((left, right))
            case Not(operand):
                inner = (self.number(operand),)
            case And(operands) | Or(operands):
                inner = tuple([self.number(operand) for operand in operands])
            case Iff(first, second):
                inner = (self.number(first), self.number(second))
            case IfThenElse(condition, then, other):
                inner = (self.number(condition), self.number(then), self.number(other))
            case Exists(variables, body) | ForAll(variables, body):
                inner, own, bound = (self.number(body),), variables, variables
            case TransitiveClosure(left, right, source, target, body):
                inner, own, bound = (self.number(body),), (left, right, source, target), (source, target)
                free = frozenset((left, right))
        shape = (type(formula), own, inner)
        found = self._by_shape.get(shape)
        if found is None:
            found = self._by_shape[shape] = len(self._free)
            below = frozenset[str]().union(*[self._free[number] for number in inner]) if inner else frozenset()
            self._free.append(free | (below.difference(bound) if bound else below))
        self._by_object[id(formula)] = found
        self._kept.append(formula)
        return found

    def free(self, formula: Formula) -> frozenset[str]:
        return self._free[self.number(formula)]


class Writer:
    """Writes the body of one function. Lines belong to loop levels; level 0 is the function itself. Predicates are
    written as the names P0, P1, ... of variables that hold their numbers, so that formulas which differ in nothing but
    their predicates have the same text."""

    def __init__(self) -> None:
        self.slots: dict[str, int] = {}
        self.numbering = Numbering()
        self.free = self.numbering.free
        self.lines: list[list[str]] = [[]]
        self.memo: list[dict[Key, Value]] = [{}]
        self.names: list[dict[str, str]] = [{}]
        self.count = 0
        self.reads: set[tuple[str, int]] = set()
        self.reads_inequality = False

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def keep(self, level: int, text: str) -> str:
        """A local variable that holds the value of an expression, computed at a level."""
        for names in self.names[: level + 1]:
            if text in names:
                return names[text]
        name = self.fresh("t")
        self.lines[level].append(f"{name} = {text}")
        self.names[level][text] = name
        return name

    def slot(self, predicate: str) -> str:
        """The text of a predicate's number."""
        if predicate in BUILT_IN_NUMBERS:
            return str(BUILT_IN_NUMBERS[predicate])
        return f"P{self.slots.setdefault(predicate, len(self.slots))}"

    def table(self, predicate: str, reading: int) -> str:
        self.reads.add((predicate, reading))
        return self.keep(0, f"{'must' if reading else 'may'}[{self.slot(predicate)}]")

    # --- formulas ---

    def value(self, formula: Formula, reading: int, environment: Environment) -> Value:
        free = self.free(formula)
        key: Key = (self.numbering.number(formula), reading, tuple([(v, environment[v]) for v in sorted(free)]))
        for memo in self.memo:
            if key in memo:
                return memo[key]
        level = max((environment[v].level for v in free), default=0)
        result = self._value(formula, reading, environment, level)
        if result.kind != SCALAR or not result.text.isdigit():
            result = Value(result.kind, self.keep(level, result.text))
        self.memo[level][key] = result
        return result

    def _value(self, formula: Formula, reading: int, environment: Environment, level: int) -> Value:
        match formula:
            case Truth(value):
                return ONE if value is Kleene.TRUE or (value is Kleene.HALF and reading == MAY) else ZERO
            case Atom(name, arguments):
                return self._atom(name, arguments, reading, environment)
            case Equal(left, right):
                return self._equal(left, right, reading, environment)
            case Not(operand):
                return complement(self.value(operand, 1 - reading, environment))
            case And():
                return both([self.value(part, reading, environment) for part in conjuncts(formula)])
            case Or(operands):
                return either([self.value(part, reading, environment) for part in operands])
            case IfThenElse(condition, then, other):
                cases = (And((condition, then)), And((negated(condition), other)), And((then, other)))
                return self._value(Or(cases), reading, environment, level)
            case Iff(left_side, right_side):
                cases = (And((left_side, right_side)), And((negated(left_side), negated(right_side))))
                return self._value(Or(cases), reading, environment, level)
            case Exists(variables, body):
                return self._exists(list(variables), body, reading, environment)
            case ForAll():
                return complement(self.value(negated(formula), 1 - reading, environment))
            case TransitiveClosure():
                return self._closure(formula, reading, environment)

    def _atom(self, name: str, arguments: tuple[str, ...], reading: int, environment: Environment) -> Value:
        table = self.table(name, reading)
        if not arguments:
            return Value(SCALAR, table)
        if len(arguments) == 1:
            return at(table, environment[arguments[0]])
        return self._pair(table, arguments[0], arguments[1], environment)

    def _pair(self, relation: str, left: str, right: str, environment: Environment) -> Value:
        """The value of a relation, given by the name of its mask, for two variables."""
        i, j = environment[left], environment[right]
        if left == right:
            if i.kind == SCALAR:
                return Value(SCALAR, f"{relation} >> {i.name} * (n + 1) & 1")
            return at(self.keep(0, f"on_diagonal[{relation} & diagonal]") if relation in self.names[0].values()
                      else f"on_diagonal[{relation} & diagonal]", i)
        if i.kind == SCALAR and j.kind == SCALAR:
            return Value(SCALAR, f"{relation} >> {i.name} * n + {j.name} & 1")
        if i.kind == SCALAR:
            return at(f"({relation} >> {i.name} * n & full)", j)
        if j.kind == SCALAR:
            column = f"({relation} >> {j.name} & column)"
            return Value(FIRST, column) if i.kind == FIRST else Value(LAST, f"gathered[{column}]")
        return Value(BOTH, relation if i.kind == FIRST else f"transposed[{relation}]")

    def _equal(self, left: str, right: str, reading: int, environment: Environment) -> Value:
        if left == right:
            return ONE
        i, j = environment[left], environment[right]
        if reading == MAY:
            self.reads_inequality = True
            single = "full"
        else:
            self.reads.add(("sm", MAY))
            single = self.keep(0, f"full & ~may[{SUMMARY}]")
        if i.kind == SCALAR and j.kind == SCALAR:
            same = f"{i.name} == {j.name}"
            return Value(SCALAR, f"int({same})" if reading == MAY else f"({same}) & {single} >> {i.name}")
        if i.kind == SCALAR or j.kind == SCALAR:
            node, axis = (i, j) if i.kind == SCALAR else (j, i)
            return at(f"(1 << {node.name} & {single})", axis)
        return Value(BOTH, "diagonal" if reading == MAY else self.keep(0, f"diagonal & {single} * column"))

    def _closure(self, formula: TransitiveClosure, reading: int, environment: Environment) -> Value:
        others = self.free(formula.body) - {formula.source, formula.target}
        for variable in sorted(others):
            if environment[variable].kind != SCALAR:
                return self._by_node(formula, variable, reading, environment)
        inner = {v: environment[v] for v in others}
        inner[formula.source] = Binding(FIRST)
        inner[formula.target] = Binding(LAST)
        level = max((environment[v].level for v in others), default=0)
        step = as_kind(self.value(formula.body, reading, inner), BOTH)
        if reading == MAY:
            through = "full"
        else:
            through = self.table("ac", MUST)
        closed = self.keep(level, f"closed[{step.text}, {through}]")
        return self._pair(closed, formula.left, formula.right, environment)

    def _by_node(self, formula: Formula, variable: str, reading: int, environment: Environment) -> Value:
        """Evaluate for each node of an axis in turn: for the few formulas that cannot be done at once."""
        free = self.free(formula) - {variable}
        level = max((environment[v].level for v in free), default=0)
        axis = environment[variable].kind
        node, result = self.fresh("v"), self.fresh("r")
        self._enter(level)
        inner = {v: environment[v] for v in free}
        inner[variable] = Binding(SCALAR, node, level + 1)
        value = self.value(formula, reading, inner)
        two = any(environment[v].kind in (FIRST, LAST) for v in free)
        if axis == FIRST:
            value, place, kind = as_kind(value, LAST) if two else value, f"{node} * n", BOTH if two else FIRST
        else:
            value, place, kind = as_kind(value, FIRST) if two else value, node, BOTH if two else LAST
        self._leave(level, result, f"for {node} in range(n):", f"{result} |= {value.text} << {place}")
        return Value(kind, result)

    def _enter(self, level: int) -> None:
        """Begin a loop just inside a level. Deeper levels that are being written wait: they are set aside."""
        self._set_aside = getattr(self, "_set_aside", [])
        self._set_aside.append((self.lines[level + 1 :], self.memo[level + 1 :], self.names[level + 1 :]))
        self.lines[level + 1 :] = [[]]
        self.memo[level + 1 :] = [{}]
        self.names[level + 1 :] = [{}]

    def _leave(self, level: int, result: str, header: str, *last: str) -> None:
        body = [*self.lines[level + 1], *last]
        self.lines[level].append(f"{result} = 0")
        self.lines[level].append(header)
        self.lines[level].extend("    " + line for line in body)
        lines, memo, names = self._set_aside.pop()
        self.lines[level + 1 :] = lines
        self.memo[level + 1 :] = memo
        self.names[level + 1 :] = names

    # --- quantifiers ---

    def _exists(self, variables: list[str], body: Formula, reading: int, environment: Environment) -> Value:
        while isinstance(body, Exists):
            if set(body.variables) & set(variables):
                variables = [v for v in variables if v not in body.variables]
            variables = [*variables, *body.variables]
            body = body.body
        if isinstance(body, Not) and isinstance(body.operand, And | Or | Not | ForAll | Exists):
            return self._exists(variables, negated(body.operand), reading, environment)
        if isinstance(body, Or):
            parts = [self.value(Exists(tuple(variables), part), reading, environment) for part in body.operands]
            return either(parts)
        if isinstance(body, IfThenElse):
            cases = (
                And((body.condition, body.then)),
                And((negated(body.condition), body.other)),
                And((body.then, body.other)),
            )
            return self._exists(variables, Or(cases), reading, environment)
        parts_inside: list[Formula] = []
        outside: list[Value] = []
        bound = set(variables)
        for part in conjuncts(body):
            if self.free(part) & bound:
                parts_inside.append(part)
            else:
                outside.append(self.value(part, reading, environment))
        used = set[str]().union(*(self.free(part) for part in parts_inside)) if parts_inside else set()
        idle = [v for v in variables if v not in used]
        if idle:
            universe = self.table("ac", MUST) if reading == MUST else "full"
            outside.append(Value(SCALAR, f"(1 if {universe} else 0)"))
        variables = [v for v in variables if v in used]
        if variables:
            outside.append(self._loop(variables, parts_inside, reading, environment))
        return both(outside)

    def _loop(self, variables: list[str], parts: list[Formula], reading: int, environment: Environment) -> Value:
        nodes = {v for v, binding in environment.items() if binding.kind == SCALAR} - set(variables)
        variable = max(variables, key=lambda v: (self._guard_rank(v, parts, nodes), -variables.index(v)))
        others = [v for v in variables if v != variable]
        guards = [part for part in parts if variable in self.free(part) and self.free(part) <= nodes | {variable}]
        rest = [part for part in parts if part not in guards]
        inner: dict[str, Binding] = {v: environment[v] for v in nodes}
        inner[variable] = Binding(LAST)
        limits = [as_kind(self.value(guard, reading, inner), LAST) for guard in guards]
        if reading == MUST:
            limits.append(Value(LAST, self.table("ac", MUST)))
        guard = both(limits) if limits else Value(LAST, "full")
        if not rest and not others:
            return Value(SCALAR, f"(1 if {guard.text} else 0)")
        free = set[str]().union(*(self.free(part) for part in parts)) - set(variables)
        level = max((environment[v].level for v in free), default=0)
        return self._over(level, guard.text, variable, others, rest, reading, environment, bool(guards))

    def _over(
        self,
        level: int,
        guard: str,
        variable: str,
        others: list[str],
        rest: list[Formula],
        reading: int,
        environment: Environment,
        guarded: bool,
    ) -> Value:
        node, result, left = self.fresh("v"), self.fresh("r"), self.fresh("g")
        if guarded:
            guard = self.keep(level, guard)
        self._enter(level)
        inner = {v: b for v, b in environment.items() if v not in others}
        inner[variable] = Binding(SCALAR, node, level + 1)
        body: Formula = And(tuple(rest)) if len(rest) != 1 else rest[0]
        value = self.value(Exists(tuple(others), body) if others else body, reading, inner)
        closing = [f"{result} |= {value.text}"]
        if value.kind == SCALAR:
            closing = [f"if {value.text}:", f"    {result} = 1", "    break"]
        if guarded or reading == MUST:
            self.lines[level].append(f"{left} = {guard}")
            opening = [f"{node} = {left}.bit_length() - 1", f"{left} ^= 1 << {node}"]
            self.lines[level + 1][:0] = opening
            self._leave(level, result, f"while {left}:", *closing)
        else:
            self._leave(level, result, f"for {node} in range(n):", *closing)
        return Value(value.kind, result)

    def _guard_rank(self, variable: str, parts: list[Formula], nodes: set[str]) -> int:
        rank = 0
        for part in parts:
            free = self.free(part)
            if variable in free and free <= nodes | {variable}:
                rank = max(rank, 2 if isinstance(part, Atom) else 1)
        return rank


def at(members: str, binding: Binding) -> Value:
    """Membership of a variable in a set, given as an expression."""
    if binding.kind == SCALAR:
        return Value(SCALAR, f"{members} >> {binding.name} & 1")
    if binding.kind == FIRST:
        return Value(FIRST, f"spread[{members}]")
    return Value(LAST, members)


def complement(value: Value) -> Value:
    if value.kind == SCALAR:
        if value.text in "01":
            return ONE if value.text == "0" else ZERO
        return Value(SCALAR, f"({value.text}) ^ 1")
    return Value(value.kind, f"{FULL[value.kind]} ^ ({value.text})")


def as_kind(value: Value, kind: str) -> Value:
    """The same value, seen as depending on more axes."""
    if value.kind == kind:
        return value
    if value.kind == SCALAR:
        if value.text == "0":
            return Value(kind, "0")
        if value.text == "1":
            return Value(kind, FULL[kind])
        return Value(kind, f"(-({value.text}) & {FULL[kind]})")
    assert kind == BOTH
    return Value(BOTH, f"({value.text}) * {'full' if value.kind == FIRST else 'column'}")


def both(values: Sequence[Value]) -> Value:
    by_kind: dict[str, list[str]] = {}
    for value in values:
        if value == ZERO:
            return ZERO
        if value != ONE:
            texts = by_kind.setdefault(value.kind, [])
            if value.text not in texts:
                texts.append(value.text)
    if not by_kind:
        return ONE
    merged = {kind: " & ".join(f"({text})" if " " in text else text for text in texts) for kind, texts in by_kind.items()}
    scalar = merged.pop(SCALAR, None)
    if not merged:
        assert scalar is not None
        return Value(SCALAR, scalar)
    if len(merged) == 1:
        ((kind, text),) = merged.items()
    else:
        kind = BOTH
        factors = []
        if FIRST in merged and LAST in merged:
            factors.append(f"(({merged[FIRST]}) * ({merged[LAST]}))")
        elif FIRST in merged:
            factors.append(f"(({merged[FIRST]}) * full)")
        else:
            factors.append(f"(({merged[LAST]}) * column)")
        if BOTH in merged:
            factors.append(merged[BOTH])
        text = " & ".join(factors)
    return Value(kind, text if scalar is None else f"({text} if {scalar} else 0)")


def either(values: Sequence[Value]) -> Value:
    values = [value for value in values if value != ZERO]
    if not values:
        return ZERO
    if ONE in values:
        return ONE
    kinds = {value.kind for value in values} - {SCALAR}
    kind = SCALAR if not kinds else kinds.pop() if len(kinds) == 1 else BOTH
    texts = list(dict.fromkeys(as_kind(value, kind).text for value in values))
    return Value(kind, " | ".join(f"({text})" if " " in text else text for text in texts))


LOCALS = {
    "n": "layout.n",
    "full": "layout.full",
    "column": "layout.column",
    "diagonal": "layout.diagonal",
    "square": "layout.square",
    "spread": "layout.spread",
    "gathered": "layout.gathered",
    "on_diagonal": "layout.on_diagonal",
    "transposed": "layout.transposed",
    "closed": "layout.closed",
}
WORD = re.compile(r"[a-z_]+\b")


def assemble(writer: Writer, parameters: Sequence[str], lines: Sequence[str]) -> str:
    """The text of a function that makes the function of given predicates. What it uses of the layout becomes local."""
    words = set(WORD.findall("\n".join(lines)))
    head = [f"{local} = {source}" for local, source in LOCALS.items() if local in words]
    body = "\n        ".join([*head, *lines])
    slots = ", ".join(f"P{i}" for i in range(len(writer.slots)))
    arguments = ", ".join(["may", "must", "layout", *parameters])
    return f"def make({slots}):\n    def evaluate({arguments}):\n        {body}\n    return evaluate\n"


SHAPE = {0: SCALAR, 1: LAST, 2: BOTH}


@dataclass(frozen=True, slots=True)
class Template:
    """A compiled function that still lacks the numbers of its predicates, in the order of `slots`."""

    make: Callable[..., Evaluate]
    slots: tuple[str, ...]
    reads: frozenset[tuple[str, int]]
    reads_inequality: bool


class Compiler:
    """Compiles formulas for one signature. Those that differ only in their predicates are compiled once."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self._templates: dict[object, Template] = {}

    def function(self, requests: Sequence[Request], bound: tuple[str, ...] = ()) -> Evaluate:
        """A function of (may, must, layout, *nodes of `bound`) that answers all requests, as a tuple."""
        abstract = Abstract(self.signature)
        general = tuple([Request(abstract.formula(r.formula), r.axes, r.reading) for r in requests])

        def write(writer: Writer) -> tuple[list[str], list[str]]:
            parameters = {v: f"p{i}" for i, v in enumerate(bound)}
            results = [answer(writer, request, parameters) for request in general]
            lines = [*writer.lines[0], f"return ({', '.join(results)}{',' if len(results) == 1 else ''})"]
            return list(parameters.values()), lines

        return self.made(self.template((general, bound), write), abstract)

    def template(self, key: object, write: Callable[[Writer], tuple[list[str], list[str]]]) -> Template:
        template = self._templates.get(key)
        if template is None:
            writer = Writer()
            parameters, lines = write(writer)
            make = define(assemble(writer, parameters, lines))
            template = Template(make, tuple(writer.slots), frozenset(writer.reads), writer.reads_inequality)
            self._templates[key] = template
        return template

    def made(self, template: Template, abstract: Abstract) -> Evaluate:
        return template.make(*[abstract.number(name) for name in template.slots])


class Abstract:
    """Replaces the predicates of formulas by numbers in order of appearance, alike in all formulas given to it."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.names: dict[str, str] = {}
        self.actual: list[str] = []

    def number(self, name: str) -> int:
        """The number in the signature of the predicate that a replacement stands for."""
        return self.signature.number[self.actual[int(name)]] if name.isdigit() else self.signature.number[name]

    def predicate(self, name: str, arity: int) -> str:
        number = self.signature.number.get(name)
        if number is None:
            raise InputError(f"the predicate {name} is not declared")
        if self.signature.arity[number] != arity:
            raise InputError(f"the predicate {name} takes {self.signature.arity[number]} arguments")
        if number < len(BUILT_IN_NUMBERS):
            return name
        if name not in self.names:
            self.names[name] = str(len(self.actual))
            self.actual.append(name)
        return self.names[name]

    def formula(self, formula: Formula) -> Formula:
        match formula:
            case Truth() | Equal():
                return formula
            case Atom(name, arguments):
                return Atom(self.predicate(name, len(arguments)), arguments)
            case Not(operand):
                return Not(self.formula(operand))
            case And(operands):
                return And(tuple([self.formula(operand) for operand in operands]))
            case Or(operands):
                return Or(tuple([self.formula(operand) for operand in operands]))
            case Iff(first, second):
                return Iff(self.formula(first), self.formula(second))
            case IfThenElse(condition, then, other):
                return IfThenElse(self.formula(condition), self.formula(then), self.formula(other))
            case Exists(variables, body):
                return Exists(variables, self.formula(body))
            case ForAll(variables, body):
                return ForAll(variables, self.formula(body))
            case TransitiveClosure(left, right, source, target, body):
                return TransitiveClosure(left, right, source, target, self.formula(body))


def answer(writer: Writer, request: Request, parameters: Mapping[str, str]) -> str:
    """Write the computation of a request; returns the expression of its result."""
    environment: dict[str, Binding] = {v: Binding(SCALAR, name) for v, name in parameters.items()}
    for axis, variable in enumerate(request.axes):
        environment[variable] = Binding(FIRST if axis == 0 and len(request.axes) == 2 else LAST)
    missing = writer.free(request.formula) - environment.keys()
    if missing:
        raise InputError(f"the variable {min(missing)} is not bound by anything")
    return as_kind(writer.value(request.formula, request.reading, environment), SHAPE[len(request.axes)]).text


def define(source: str) -> Callable[..., Evaluate]:
    namespace: dict[str, Callable[..., Evaluate]] = {}
    exec(compile(source, "<formulas>", "exec"), namespace)  # the text comes from this module alone
    return namespace["make"]
