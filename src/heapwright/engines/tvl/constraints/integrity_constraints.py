"""Integrity constraints: those of a specification, those of the properties of predicates, and those that follow from
the definitions of instrumentation predicates.

For a definition p = f they are: f implies p and not f implies not p; if f (or its negation) is an existential
conjunction, each literal of it follows negated from the others and not p (from p); if f is `A(w) q(v, w)`, p implies q.
The free variables of a constraint's body are those of its head: others are quantified, and disjunctions are split.

>>> from heapwright.logic.formulas import text
>>> x = Predicate("x", 1, unique=True)
>>> [f"{text(c.body)} ==> {text(c.head)}" for c in all_constraints(Vocabulary((x,)), ())]
['(x(#1) & x(#2)) ==> #1 == #2', 'E(#1) (x(#1) & #1 != #2) ==> !x(#2)']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations

from heapwright.base.errors import InputError
from heapwright.engines.tvl.formulas.rewriting import count_terms, prenex_dnf, reflexive_closure
from heapwright.logic import formulas as f
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary

U, V, W = "#1", "#2", "#3"


def all_constraints(
    vocabulary: Vocabulary, given: Iterable[Constraint], *, automatic: bool = True
) -> tuple[Constraint, ...]:
    """Every constraint once, in a form in which the body's free variables are among the head's. Those that differ only
    in the names of variables and the order of conjuncts count as one."""
    found: dict[object, Constraint] = {}
    sources: list[Constraint] = list(given)
    if automatic:
        for predicate in vocabulary.predicates:
            sources.extend(of_properties(predicate))
            sources.extend(of_definition(predicate))
        for predicate in vocabulary.predicates:
            sources.extend(of_closures(predicate, vocabulary))
    for constraint in sources:
        for split in normal(constraint):
            found.setdefault(form(split), split)
    return tuple(found.values())


def form(constraint: Constraint) -> object:
    """A key that is equal for constraints of the same form."""
    head, body = constraint.head, constraint.body
    bound = body.variables if isinstance(body, f.Exists) else ()
    parts = body.body if isinstance(body, f.Exists) else body
    negative = isinstance(head, f.Not)
    atom = head.operand if isinstance(head, f.Not) else head
    orders: list[tuple[str, ...]] = [()]
    if isinstance(atom, f.Atom):
        orders = [tuple(dict.fromkeys(atom.arguments))]
    elif isinstance(atom, f.Equal):
        orders = [(atom.left, atom.right), (atom.right, atom.left)]
    operands = parts.operands if isinstance(parts, f.And) else (parts,)
    forms = []
    for order in orders:
        for inner in permutations(bound):
            names = {v: f"#{index}" for index, v in enumerate((*order, *inner))}
            forms.append(tuple(sorted([literal_form(operand, names) for operand in operands])))
    shape: tuple[object, ...] = (len(set(orders[0])),)
    if isinstance(atom, f.Atom):
        shape = (atom.predicate, *[orders[0].index(v) for v in atom.arguments])
    return type(atom), negative, shape, min(forms)


def literal_form(formula: f.Formula, names: Mapping[str, str]) -> tuple[str, ...]:
    """A literal with other names for its variables; any other formula as it is, with the names that it has."""
    atom = formula.operand if isinstance(formula, f.Not) else formula
    sign = "!" if isinstance(formula, f.Not) else ""
    if isinstance(atom, f.Atom):
        return (sign + atom.predicate, *[names[v] for v in atom.arguments])
    if isinstance(atom, f.Equal):
        return (sign + "=", *sorted((names[atom.left], names[atom.right])))
    return ("?", f.text(formula), *[f"{v} {names[v]}" for v in sorted(f.free_variables(formula))])


def normal(constraint: Constraint) -> Iterator[Constraint]:
    head = constraint.head
    atom = head.operand if isinstance(head, f.Not) else head
    if not isinstance(atom, f.Atom | f.Equal) and head != f.FALSE:
        raise InputError("the head of a constraint must be a literal, an (in)equality or 0", constraint.span)
    bodies = constraint.body.operands if isinstance(constraint.body, f.Or) else (constraint.body,)
    for body in bodies:
        if isinstance(body, f.Or):
            yield from normal(Constraint(body, head, constraint.span))
            continue
        extra = tuple(sorted(f.free_variables(body) - f.free_variables(head)))
        yield Constraint(f.Exists(extra, body) if extra else body, head, constraint.span)


def of_properties(predicate: Predicate) -> Iterator[Constraint]:
    def p(*arguments: str) -> f.Formula:
        return f.Atom(predicate.name, arguments)

    same, differ = f.Equal(U, V), f.Not(f.Equal(U, V))
    if predicate.unique:
        yield Constraint(f.And((p(U), p(V))), same)
        yield Constraint(f.Exists((U,), f.And((p(U), differ))), f.Not(p(V)))
    if predicate.function:
        yield Constraint(f.Exists((W,), f.And((p(W, U), p(W, V)))), same)
        yield Constraint(f.Exists((U,), f.And((p(W, U), differ))), f.Not(p(W, V)))
    if predicate.invfunction:
        yield Constraint(f.Exists((W,), f.And((p(U, W), p(V, W)))), same)
        yield Constraint(f.Exists((U,), f.And((p(U, W), differ))), f.Not(p(V, W)))
    if predicate.symmetric:
        yield Constraint(p(U, V), p(V, U))
    if predicate.antisymmetric:
        yield Constraint(f.And((p(U, V), p(V, U))), same)
        yield Constraint(f.And((p(U, V), differ)), f.Not(p(V, U)))
    if predicate.reflexive:
        yield Constraint(same, p(U, V))
    if predicate.antireflexive:
        yield Constraint(same, f.Not(p(U, V)))
    if predicate.transitive:
        yield Constraint(f.Exists((W,), f.And((p(U, W), p(W, V)))), p(U, V))
    if predicate.acyclic:
        yield Constraint(p(U, U), f.FALSE)
    if predicate.unique_per_component:
        yield Constraint(f.And((p(U), f.Atom(predicate.unique_per_component, (U, V)), p(V))), same)


def of_definition(predicate: Predicate) -> Iterator[Constraint]:
    definition = predicate.definition
    if definition is None:
        return
    atom = f.Atom(predicate.name, predicate.parameters)
    yield Constraint(definition, atom)
    yield Constraint(f.Not(definition), f.Not(atom))
    known: f.Formula = f.Not(atom)
    quantifiers, terms = prenex_dnf(definition) if count_terms(definition) == 1 else ((), ())
    if quantifiers and terms and len(terms[0]) == 1 and all(q.universal for q in quantifiers):
        (literal,) = terms[0]
        if isinstance(literal, f.Atom):
            yield Constraint(atom, literal)
    if not terms or any(q.universal for q in quantifiers):
        known = atom
        if count_terms(definition, negative=True) != 1:
            return
        quantifiers, terms = prenex_dnf(f.Not(definition))
        if any(q.universal for q in quantifiers):
            return
    literals = terms[0]
    if len(literals) < 2:
        return
    for index, literal in enumerate(literals):
        negative = isinstance(literal, f.Not)
        inner = literal.operand if isinstance(literal, f.Not) else literal
        if isinstance(inner, f.Atom) or (negative and isinstance(inner, f.Equal)):
            others = literals[:index] + literals[index + 1 :]
            head: f.Formula = inner if negative else f.Not(inner)
            yield Constraint(f.And((known, *others)), head)


def closure_of(name: str, vocabulary: Vocabulary) -> str:
    """The instrumentation predicate that is the reflexive transitive closure of a predicate, or "" if there is none."""
    if f"rtc[{name}]" in vocabulary:
        return f"rtc[{name}]"
    for predicate in vocabulary.predicates:
        if predicate.arity == 2 and predicate.definition is not None:
            closure = reflexive_closure(predicate.definition)
            if closure is not None and isinstance(closure.body, f.Atom) and closure.body.predicate == name:
                return predicate.name
    return ""


def of_closures(predicate: Predicate, vocabulary: Vocabulary) -> Iterator[Constraint]:
    def reaches(name: str, source: str, target: str) -> f.Formula:
        closure = closure_of(name, vocabulary)
        if closure:
            return f.Atom(closure, (source, target))
        edge = f.Atom(name, ("#a", "#b"))
        return f.Or((f.Equal(source, target), f.TransitiveClosure(source, target, "#a", "#b", edge)))

    same, differ = f.Equal(U, V), f.Not(f.Equal(U, V))
    if predicate.acyclic:
        there, back = reaches(predicate.name, U, V), reaches(predicate.name, V, U)
        yield Constraint(f.And((there, back)), same)
        if isinstance(back, f.Atom):
            yield Constraint(f.And((there, differ)), f.Not(back))
    if predicate.unique_per_component:
        at_u, at_v = f.Atom(predicate.name, (U,)), f.Atom(predicate.name, (V,))
        path = reaches(predicate.unique_per_component, U, V)
        yield Constraint(f.And((at_u, path, at_v)), same)
        yield Constraint(f.Exists((U,), f.And((at_u, path, differ))), f.Not(at_v))
        yield Constraint(f.Exists((V,), f.And((differ, path, at_v))), f.Not(at_u))
        if isinstance(path, f.Atom):
            yield Constraint(f.And((at_u, differ, at_v)), f.Not(path))
