"""Declarations expanded: the vocabulary, the constraints, and what every action gets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.base.immutable import Immutable
from heapwright.base.source import Span
from heapwright.logic.actions import Message
from heapwright.logic.formulas import (
    FALSE,
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Iff,
    IfThenElse,
    Not,
    Or,
    TransitiveClosure,
    Truth,
    free_variables,
)
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary
from heapwright.tvp.expansion.formulas import Expander
from heapwright.tvp.specification import ALIASES, LOGICAL
from heapwright.tvp.syntax.name_sets import Environment, resolve, unroll
from heapwright.tvp.syntax.tree import (
    ConstraintSyntax,
    Declaration,
    FocusSyntax,
    MessageSyntax,
    PredicateSyntax,
    ProgramSyntax,
    Property,
)

_OF_UNARY = ("unique", "pointer", "box")
_OF_BINARY = (
    "function",
    "invfunction",
    "symmetric",
    "antisymmetric",
    "transitive",
    "reflexive",
    "antireflexive",
    "acyclic",
)


class Declarations(Immutable):
    vocabulary: Vocabulary
    constraints: tuple[Constraint, ...]
    focus: tuple[Formula, ...]  # of every action
    messages: tuple[Message, ...]  # of every action


def declare(program: ProgramSyntax) -> tuple[Declarations, Expander]:
    """The declarations of a program, and the expander that knows its predicates."""
    declarations: list[tuple[Declaration, Environment]] = list(unroll(program.declarations, {}, program.sets))
    expander = Expander(dict(declared_arities(declarations)), program.sets)
    predicates = declared_predicates(declarations, expander)
    constraints: list[Constraint] = []
    focus: list[Formula] = []
    messages: list[Message] = []
    for syntax, environment in declarations:
        if isinstance(syntax, ConstraintSyntax):
            constraints.append(_constraint(syntax, environment, expander))
        elif isinstance(syntax, FocusSyntax):
            focus.extend(expander.whole_formula(*item) for item in unroll(syntax.formulas, environment, program.sets))
        elif isinstance(syntax, MessageSyntax):
            formula = expander.whole_formula(syntax.formula, environment)
            messages.append(Message(formula, expander.message(syntax.text, environment), syntax.token.span))
    return Declarations(Vocabulary(predicates), tuple(constraints), tuple(focus), tuple(messages)), expander


Unrolled = tuple[Declaration, Environment]


def declared_predicates(declarations: Sequence[Unrolled], expander: Expander) -> tuple[Predicate, ...]:
    """The predicates that are declared; the expander knows them already, and whatever else may be used."""
    predicates = tuple(
        _predicate(syntax, environment, expander)
        for syntax, environment in declarations
        if isinstance(syntax, PredicateSyntax)
    )
    _check_cycles(predicates)
    return predicates


def declared_arities(declarations: Sequence[Unrolled]) -> Iterator[tuple[str, int]]:
    """Every predicate by name; a name that cannot be declared is refused."""
    known: dict[str, Span] = {}
    for syntax, environment in declarations:
        if not isinstance(syntax, PredicateSyntax):
            continue
        name = str(resolve(syntax.name, environment))
        span = syntax.token.span
        if name in LOGICAL or name in ALIASES:
            raise InputError(f"predicate {name} is built in and cannot be declared", span)
        if name in known:
            raise InputError(f"predicate {name} is declared twice, first at {known[name]}", span)
        if len(syntax.parameters) > 2:
            raise UnsupportedError(f"predicate {name} with {len(syntax.parameters)} arguments", span)
        if len(set(syntax.parameters)) < len(syntax.parameters):
            raise InputError(f"predicate {name} has two parameters of the same name", span)
        known[name] = span
        yield name, len(syntax.parameters)


def _predicate(syntax: PredicateSyntax, environment: Environment, expander: Expander) -> Predicate:
    name = str(resolve(syntax.name, environment))
    head = Predicate(name, len(syntax.parameters), span=syntax.token.span)
    values: dict[str, Any] = {"abstraction": head.arity < 2}
    for item in syntax.properties:
        values.update(_property(item, head, environment, expander))
    if syntax.shown is not None:
        values["shown"] = syntax.shown
    if syntax.definition is not None:
        definition = expander.whole_formula(syntax.definition, environment)
        free = free_variables(definition)
        extra = sorted(free.difference(syntax.parameters))
        unused = [variable for variable in syntax.parameters if variable not in free]
        if extra or unused:
            wrong = (
                f"has the free variable {extra[0]}, which is" if extra else f"does not depend on {unused[0]}, which is"
            )
            raise InputError(
                f"the definition of {head.name} {wrong} {'no' if extra else 'a'} parameter",
                syntax.definition.token.span,
            )
        values.update(definition=definition, parameters=syntax.parameters)
    return Predicate(head.name, head.arity, span=head.span, **values)


def _property(item: Property, head: Predicate, environment: Environment, expander: Expander) -> dict[str, Any]:
    word, span = item.token.text, item.token.span
    if word == "uniquePerCC" and len(item.arguments) == 1:
        if head.arity != 1:
            raise InputError(f"only a predicate of one argument can be {word}, not {head.name}", span)
        return {"unique_per_component": expander.predicate(item.arguments[0], 2, item.token, environment)}
    if item.arguments or word == "uniquePerCC":
        raise InputError(f"{word} is no property with {len(item.arguments)} arguments", span)
    if word in ("abs", "nonabs"):
        if head.arity > 1 and word == "abs":
            raise InputError(f"{head.name} has two arguments and cannot take part in abstraction", span)
        return {"abstraction": word == "abs"}
    if word in _OF_UNARY:
        if head.arity != 1:
            raise InputError(f"only a predicate of one argument can be {word}, not {head.name}", span)
        return {"unique" if word == "unique" else "pointer": True}
    if word in _OF_BINARY:
        if head.arity != 2:
            raise InputError(f"only a predicate of two arguments can be {word}, not {head.name}", span)
        return {word: True}
    raise InputError(f"{word} is no property of predicates", span)


def _constraint(syntax: ConstraintSyntax, environment: Environment, expander: Expander) -> Constraint:
    body, head = expander.whole_formula(syntax.body, environment), expander.whole_formula(syntax.head, environment)
    literal = head.operand if isinstance(head, Not) else head
    if head != FALSE and not isinstance(literal, Atom | Equal):
        raise InputError(
            "the head of a constraint is an atom, an equality, the negation of one, or 0", syntax.head.token.span
        )
    return Constraint(body, head, syntax.token.span)


def _check_cycles(predicates: Sequence[Predicate]) -> None:
    """No definition may use its own predicate, be it through others."""
    uses = {p.name: tuple(dict.fromkeys(_atoms(p.definition))) for p in predicates if p.definition is not None}
    spans = {p.name: p.span for p in predicates}
    done: set[str] = set()
    for start in uses:
        path: list[str] = []
        stack: list[tuple[str, Iterator[str]]] = []
        if start not in done:
            path, stack = [start], [(start, iter(uses[start]))]
        while stack:
            name, rest = stack[-1]
            found = next((use for use in rest if use in uses and use not in done), None)
            if found is None:
                done.add(name)
                stack.pop()
                path.pop()
            elif found in path:
                cycle = " -> ".join([*path[path.index(found) :], found])
                raise InputError(f"the definition of {found} uses itself: {cycle}", spans[found])
            else:
                path.append(found)
                stack.append((found, iter(uses[found])))


def _atoms(formula: Formula) -> Iterator[str]:
    """The predicates of a formula."""
    match formula:
        case Atom(predicate, _):
            yield predicate
        case Not(inner) | Exists(_, inner) | ForAll(_, inner) | TransitiveClosure(body=inner):
            yield from _atoms(inner)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from _atoms(operand)
        case Iff(left, right):
            yield from _atoms(left)
            yield from _atoms(right)
        case IfThenElse(condition, then, other):
            for part in (condition, then, other):
                yield from _atoms(part)
        case Truth() | Equal():
            pass
