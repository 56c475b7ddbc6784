"""Plain versions of what the engine does fast: evaluation of formulas one assignment at a time, and random input."""

from __future__ import annotations

import random
from collections.abc import Mapping

from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, with_fresh
from heapwright.logic.formulas import (
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Iff,
    IfThenElse,
    Kleene,
    Not,
    Or,
    TransitiveClosure,
    Truth,
)
from heapwright.logic.vocabulary import Predicate, Vocabulary

VOCABULARY = Vocabulary(
    (
        Predicate("b", 0),
        Predicate("x", 1),
        Predicate("y", 1),
        Predicate("n", 2),
        Predicate("m", 2),
    )
)
SIGNATURE = Signature(VOCABULARY)

# Values as numbers: 0, 1/2 and 1 are 0, 1 and 2, so that "and" is min, "or" is max and "not" is 2 - v.
NUMBER = {Kleene.FALSE: 0, Kleene.HALF: 1, Kleene.TRUE: 2}


def lookup(draft: Draft, predicate: int, place: int) -> int:
    return (draft.may[predicate] >> place & 1) + (draft.must[predicate] >> place & 1)


def evaluate(draft: Draft, signature: Signature, formula: Formula, assignment: Mapping[str, int]) -> int:
    n = draft.n

    def active(node: int) -> int:
        return lookup(draft, ACTIVE, node)

    def go(f: Formula, a: Mapping[str, int]) -> int:
        match f:
            case Truth(value):
                return NUMBER[value]
            case Atom(name, arguments):
                place = 0
                for argument in arguments:
                    place = place * n + a[argument]
                return lookup(draft, signature.number[name], place)
            case Equal(left, right):
                if left == right:
                    return 2
                if a[left] != a[right]:
                    return 0
                return 1 if lookup(draft, SUMMARY, a[left]) else 2
            case Not(operand):
                return 2 - go(operand, a)
            case And(operands):
                return min((go(o, a) for o in operands), default=2)
            case Or(operands):
                return max((go(o, a) for o in operands), default=0)
            case Iff(left_side, right_side):
                p, q = go(left_side, a), go(right_side, a)
                return max(min(p, q), min(2 - p, 2 - q))
            case IfThenElse(condition, then, other):
                c, t, e = go(condition, a), go(then, a), go(other, a)
                return t if c == 2 else e if c == 0 else (t if t == e else 1)
            case Exists(variables, body):
                if not variables:
                    return go(body, a)
                inner = Exists(variables[1:], body)
                return max((min(active(u), go(inner, {**a, variables[0]: u})) for u in range(n)), default=0)
            case ForAll(variables, body):
                if not variables:
                    return go(body, a)
                rest = ForAll(variables[1:], body)
                return min((max(2 - active(u), go(rest, {**a, variables[0]: u})) for u in range(n)), default=2)
            case TransitiveClosure(left, right, source, target, body):
                edge = [[go(body, {**a, source: u, target: v}) for v in range(n)] for u in range(n)]
                for k in range(n):
                    for u in range(n):
                        for v in range(n):
                            edge[u][v] = max(edge[u][v], min(edge[u][k], edge[k][v], active(k)))
                return edge[a[left]][a[right]]

    return go(formula, assignment)


def random_draft(source: random.Random, signature: Signature, n: int, *, concrete: bool = False) -> Draft:
    draft = Draft.empty(signature, n)
    for number in range(4, signature.size):
        cells = n ** signature.arity[number]
        may = source.getrandbits(cells) if cells else 0
        if signature.arity[number] == 2 and source.random() < 0.7:
            may &= source.getrandbits(cells) if cells else 0
        draft.may[number] = may
        draft.must[number] = may if concrete else may & (source.getrandbits(cells) if cells else 0)
    if not concrete and n:
        draft.may[SUMMARY] = source.getrandbits(n)
        if source.random() < 0.3:
            draft.must[ACTIVE] &= source.getrandbits(n)
    return draft


def widened(source: random.Random, signature: Signature, draft: Draft, *, summary: bool) -> Draft:
    """The structure with one node more, of any values, that may be absent: it stands for all that it did."""
    n = draft.n
    wide = random_draft(source, signature, n + 1)
    kept = (1 << n) - 1
    old = sum(kept << i * (n + 1) for i in range(n))
    for mine, theirs in ((wide.may, draft.may), (wide.must, draft.must)):
        for p in range(signature.size):
            if signature.arity[p] == 0:
                mine[p] = theirs[p]
            elif signature.arity[p] == 1:
                mine[p] = mine[p] & ~kept | theirs[p]
            else:
                mine[p] = mine[p] & ~old | with_fresh(theirs[p], n, 1)
    wide.must[ACTIVE] = draft.must[ACTIVE]
    wide.may[SUMMARY] = draft.may[SUMMARY] | summary << n
    return wide


def random_formula(source: random.Random, variables: list[str], depth: int) -> Formula:
    """A formula whose free variables are among the given ones."""
    kind = source.randrange(10) if depth > 0 else source.randrange(3)
    if kind == 0 or not variables:
        if depth > 0 and not variables:
            return Exists(("w0",), random_formula(source, ["w0"], depth - 1))
        constants: list[Formula] = [Atom("b", ()), Truth(Kleene.TRUE), Truth(Kleene.HALF), Truth(Kleene.FALSE)]
        return source.choice(constants)
    if kind == 1:
        return Atom(source.choice("xy"), (source.choice(variables),))
    if kind == 2:
        pair = (source.choice(variables), source.choice(variables))
        return Equal(*pair) if source.random() < 0.2 else Atom(source.choice("nm"), pair)

    def sub() -> Formula:
        return random_formula(source, variables, depth - 1)

    if kind == 3:
        return Not(sub())
    if kind == 4:
        return And(tuple(sub() for _ in range(source.randint(2, 3))))
    if kind == 5:
        return Or(tuple(sub() for _ in range(source.randint(2, 3))))
    if kind == 6:
        either: list[Formula] = [Iff(sub(), sub()), IfThenElse(sub(), sub(), sub())]
        return source.choice(either)
    fresh = f"w{depth}"
    if kind in (7, 8):
        bound = (fresh,) if source.random() < 0.6 else (fresh, fresh + "b")
        body = random_formula(source, [*variables, *bound], depth - 1)
        return Exists(bound, body) if kind == 7 else ForAll(bound, body)
    inner = [fresh, fresh + "b"] + ([source.choice(variables)] if source.random() < 0.3 else [])
    return TransitiveClosure(
        source.choice(variables), source.choice(variables), fresh, fresh + "b", random_formula(source, inner, depth - 1)
    )
