"""Formulas compiled to Python over bit masks: the values of a formula for all nodes at once.

Kleene's logic falls apart into two 2-valued readings: what may hold and what must hold (a negation swaps them). Each is
compiled separately, and on demand: `coerce` needs only `must` of a constraint's body. A free variable is either an
axis, over which the answer is a set or a relation, or bound to one node. A quantifier becomes a loop over the nodes
that the cheap conjuncts of its body (the guard) leave, transitive closure a closure of a relation. Whatever does not
depend on a loop is computed before it, once.

The rules that are special to 3-valued structures: `v == w` on one node is 1/2 if the node is a summary; a maybe-active
node makes an existential at most 1/2; if-then-else with an unknown condition is the join of its branches.

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

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heapwright.base.errors import InputError
from heapwright.base.immutable import Immutable
from heapwright.engines.tvl.formulas.code_generation import BUILT_IN_NUMBERS, MAY, MUST, Writer, assemble, inlined
from heapwright.engines.tvl.formulas.mask_code import BOTH, FIRST, LAST, SCALAR, Binding, as_kind
from heapwright.engines.tvl.structures.bit_sets import CACHE_SIZE, Layout
from heapwright.engines.tvl.structures.structure import Draft, Signature
from heapwright.logic import formulas as f

__all__ = [
    "MAY",
    "MUST",
    "Abstract",
    "Compiler",
    "Draft",
    "Evaluate",
    "Layout",
    "Request",
    "Writer",
    "answer",
    "assemble",
    "inlined",
    "readings",
    "template",
]

Evaluate = Callable[..., Any]  # (may, must, layout, *nodes of bound variables) -> a mask, or a tuple of masks


class Request(Immutable):
    """One reading of a formula: as a truth value, a set or a relation, by its number of axes."""

    formula: f.Formula
    axes: tuple[str, ...]
    reading: int


def readings(formula: f.Formula, axes: tuple[str, ...]) -> list[Request]:
    """Both, as a predicate needs them."""
    return [Request(formula, axes, MAY), Request(formula, axes, MUST)]


Shape = tuple[object, ...]
KINDS = {0: SCALAR, 1: LAST, 2: BOTH}


class Template(Immutable):
    """A compiled function that still lacks the numbers of its predicates, in the order of `slots`."""

    make: Callable[..., Evaluate]
    slots: tuple[str, ...]
    reads: frozenset[tuple[str, int]]
    reads_inequality: bool


_TEMPLATES: dict[object, Template] = {}  # by shape; filled as formulas are compiled, for all analyses of a process


def template(key: object, write: Callable[[Writer], str]) -> Template:
    """The function of a shape, which is written and compiled at first use."""
    found = _TEMPLATES.get(key)
    if found is None:
        writer = Writer()
        make = define(write(writer))
        found = Template(make, tuple(writer.slots), frozenset(writer.reads), writer.reads_inequality)
        if len(_TEMPLATES) >= CACHE_SIZE:
            _TEMPLATES.clear()
        _TEMPLATES[key] = found
    return found


class Compiler:
    """Compiles formulas for one signature. Those that differ only in their predicates are compiled once."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature

    def function(self, requests: Sequence[Request], bound: tuple[str, ...] = ()) -> Evaluate:
        """A function of (may, must, layout, *nodes of `bound`) that answers all requests, as a tuple."""
        abstract = Abstract(self.signature)
        shapes = tuple([(abstract.shape(r.formula), r.axes, r.reading) for r in requests])

        def write(writer: Writer) -> str:
            parameters = {v: f"p{i}" for i, v in enumerate(bound)}
            general = [Request(abstract.formula(r.formula), r.axes, r.reading) for r in requests]
            results = [answer(writer, request, parameters) for request in general]
            lines = [*writer.lines[0], f"return ({', '.join(results)}{',' if len(results) == 1 else ''})"]
            return assemble(writer, list(parameters.values()), inlined(lines))

        return self.made(template((shapes, bound), write), abstract)

    def made(self, template: Template, abstract: Abstract) -> Evaluate:
        return template.make(*[abstract.number(name) for name in template.slots])


class Abstract:
    """Replaces the predicates of formulas by numbers in order of appearance, alike in all formulas given to it."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.names: dict[str, str] = {}
        self.actual: list[str] = []

    def number(self, name: str) -> int:
        """The number in the signature of a replaced predicate."""
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

    def shape(self, formula: f.Formula) -> Shape:
        """A key that is equal for formulas that differ only in their predicates."""
        kind = type(formula)
        if isinstance(formula, f.Atom):
            return self.predicate(formula.predicate, len(formula.arguments)), *formula.arguments
        if isinstance(formula, f.And):
            return kind, *[self.shape(operand) for operand in formula.operands]
        if isinstance(formula, f.Not):
            return kind, self.shape(formula.operand)
        if isinstance(formula, f.Or):
            return kind, *[self.shape(operand) for operand in formula.operands]
        if isinstance(formula, f.Exists):
            return kind, formula.variables, self.shape(formula.body)
        if isinstance(formula, f.Equal):
            return kind, formula.left, formula.right
        if isinstance(formula, f.ForAll):
            return kind, formula.variables, self.shape(formula.body)
        if isinstance(formula, f.Truth):
            return kind, formula.value
        if isinstance(formula, f.Iff):
            return kind, self.shape(formula.left), self.shape(formula.right)
        if isinstance(formula, f.IfThenElse):
            return kind, self.shape(formula.condition), self.shape(formula.then), self.shape(formula.other)
        return kind, formula.left, formula.right, formula.source, formula.target, self.shape(formula.body)

    def formula(self, formula: f.Formula) -> f.Formula:
        match formula:
            case f.Truth() | f.Equal():
                return formula
            case f.Atom(name, arguments):
                return f.Atom(self.predicate(name, len(arguments)), arguments)
            case f.Not(operand):
                return f.Not(self.formula(operand))
            case f.And(operands):
                return f.And(tuple([self.formula(operand) for operand in operands]))
            case f.Or(operands):
                return f.Or(tuple([self.formula(operand) for operand in operands]))
            case f.Iff(first, second):
                return f.Iff(self.formula(first), self.formula(second))
            case f.IfThenElse(condition, then, other):
                return f.IfThenElse(self.formula(condition), self.formula(then), self.formula(other))
            case f.Exists(variables, body):
                return f.Exists(variables, self.formula(body))
            case f.ForAll(variables, body):
                return f.ForAll(variables, self.formula(body))
            case f.TransitiveClosure(left, right, source, target, body):
                return f.TransitiveClosure(left, right, source, target, self.formula(body))


def answer(writer: Writer, request: Request, parameters: Mapping[str, str]) -> str:
    """Write the computation of a request; returns the expression of its result."""
    environment: dict[str, Binding] = {v: Binding(SCALAR, name) for v, name in parameters.items()}
    for axis, variable in enumerate(request.axes):
        environment[variable] = Binding(FIRST if axis == 0 and len(request.axes) == 2 else LAST)
    missing = writer.free(request.formula).difference(environment)
    if missing:
        raise InputError(f"the variable {min(missing)} is not bound by anything")
    return as_kind(writer.value(request.formula, request.reading, environment), KINDS[len(request.axes)]).text


def define(source: str) -> Callable[..., Evaluate]:
    namespace: dict[str, Callable[..., Evaluate]] = {}
    exec(compile(source, "<formulas>", "exec"), namespace)  # the text comes from this module alone
    return namespace["make"]
