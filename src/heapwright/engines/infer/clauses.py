"""What a precondition may say: disjunctions of claims about the inputs, each in a formula, in words and as a macro.

>>> disjoint = Claim("disjoint", ("x", "y"))
>>> disjoint.macro("n"), disjoint.words()
('hw_disjoint(x, y, n)', 'the lists x and y share no object')

| claim | meaning |
|---|---|
| null, given | x is null, is not null |
| longer, short | x has a successor; it has none, or is null |
| equal, different | x and y are, are not, the same pointer |
| disjoint | no object is reached from x and from y |
| leads, apart | x reaches y (or y is null), x does not reach y (or y is null) |
| covered | every allocated object is reached from one of these variables |
| rising, falling | along x the keys never decrease, never increase |

The last two have the name of the key behind that of the variable.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from heapwright.engines.infer.logic import Words
from heapwright.engines.infer.steps import NOWHERE, Heap
from heapwright.engines.infer.structure import Vocabulary

Clause = tuple["Claim", ...]
OR = " \N{LOGICAL OR} "
FALSE: Clause = ()
ORDERS = ("rising", "falling")


@dataclass(frozen=True, slots=True)
class Claim:
    kind: str
    names: tuple[str, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        return self.names[:1] if self.kind in ORDERS else self.names

    def holds(self, vocabulary: Vocabulary, heap: Heap) -> bool:
        """Whether it is true of a heap of the whole vocabulary."""
        at = [heap.at[vocabulary.variables.index(name)] for name in self.variables]
        reached = [set(heap.reached(place)) for place in at]
        match self.kind:
            case "null" | "given":
                return (at[0] == NOWHERE) == (self.kind == "null")
            case "longer" | "short":
                return (len(heap.reached(at[0])) > 1) == (self.kind == "longer")
            case "equal" | "different":
                return (at[0] == at[1]) == (self.kind == "equal")
            case "disjoint":
                return not reached[0] & reached[1]
            case "leads":
                return at[1] == NOWHERE or at[1] in reached[0]
            case "apart":
                return at[1] == NOWHERE or at[1] not in reached[0]
            case "covered":
                return all(any(i in r for r in reached) for i in range(len(heap.next)) if heap.allocated(i))
            case "rising" | "falling":
                keys = [heap.keys[i] for i in heap.reached(at[0])]
                return keys == sorted(keys, reverse=self.kind == "falling")
        raise ValueError(f"no claim {self.kind!r}")

    def formula(self, words: Words) -> Any:
        """It as a formula for the solver."""
        view, x = words.view, words.any[0]
        k = [words.vocabulary.variables.index(name) for name in self.variables]
        match self.kind:
            case "null":
                return z3.Not(view.there[k[0]])
            case "given":
                return view.there[k[0]]
            case "longer":
                beyond = z3.And(view.path(view.where[k[0]], x), x != view.where[k[0]])
                return z3.And(view.there[k[0]], z3.Exists([x], beyond))
            case "short":
                return z3.ForAll([x], z3.Or(z3.Not(view.reach(k[0], x)), x == view.where[k[0]]))
            case "equal" | "different":
                one, two = view.there[k[0]], view.there[k[1]]
                equal = z3.And(one == two, z3.Implies(one, view.where[k[0]] == view.where[k[1]]))
                return equal if self.kind == "equal" else z3.Not(equal)
            case "disjoint":
                return z3.ForAll([x], z3.Not(z3.And(view.reach(k[0], x), view.reach(k[1], x))))
            case "leads":
                return z3.Implies(view.there[k[1]], view.reach(k[0], view.where[k[1]]))
            case "apart":
                return z3.Implies(view.there[k[1]], z3.Not(view.reach(k[0], view.where[k[1]])))
            case "covered":
                none = z3.BoolVal(False, words.context)
                return z3.ForAll([x], z3.Implies(view.alloc(x), z3.Or(none, *(view.reach(i, x) for i in k))))
            case "rising" | "falling":
                y = words.any[1]
                right = words.below(x, y) if self.kind == "rising" else words.below(y, x)
                return z3.ForAll([x, y], z3.Implies(z3.And(view.reach(k[0], x), view.path(x, y)), right))
        raise ValueError(f"no claim {self.kind!r}")

    def text(self, field: str) -> str:
        """It in first-order logic with reachability."""
        names = self.names
        match self.kind:
            case "null":
                return f"{names[0]} = null"
            case "given":
                return f"{names[0]} ≠ null"
            case "longer":
                return f"∃v. {field}({names[0]}, v)"
            case "short":
                return f"∀v. ¬{field}({names[0]}, v)"
            case "equal":
                return f"{names[0]} = {names[1]}"
            case "different":
                return f"{names[0]} ≠ {names[1]}"
            case "disjoint":
                return f"∀v. ¬{field}*({names[0]}, v){OR}¬{field}*({names[1]}, v)"
            case "leads":
                return f"{names[1]} = null{OR}{field}*({names[0]}, {names[1]})"
            case "apart":
                return f"{names[1]} = null{OR}¬{field}*({names[0]}, {names[1]})"
            case "rising" | "falling":
                sign = "≤" if self.kind == "rising" else "≥"
                return f"∀u,v. ¬{field}*({names[0]}, u){OR}¬{field}(u, v){OR}u.{names[1]} {sign} v.{names[1]}"
            case _:
                reached = [f"{field}*({name}, v)" for name in names]
                return "∀v. " + OR.join(["¬alloc(v)", *reached])

    def words(self) -> str:
        names = self.names
        match self.kind:
            case "null":
                return f"{names[0]} is null"
            case "given":
                return f"{names[0]} is not null"
            case "longer":
                return f"{names[0]} has at least two objects"
            case "short":
                return f"{names[0]} has no object after the first"
            case "equal":
                return f"{names[0]} and {names[1]} are the same"
            case "different":
                return f"{names[0]} and {names[1]} are not the same"
            case "disjoint":
                return f"the lists {names[0]} and {names[1]} share no object"
            case "leads":
                return f"{names[0]} leads to {names[1]}, or {names[1]} is null"
            case "apart":
                return f"{names[0]} does not lead to {names[1]}, or {names[1]} is null"
            case "rising" | "falling":
                never = "decreases" if self.kind == "rising" else "increases"
                return f"along the list {names[0]} {names[1]} never {never}"
            case _:
                if not names:
                    return "no object is allocated"
                return f"every allocated object is reached from {' or '.join(names)}"

    def macro(self, field: str) -> str | None:
        """It in C with heapwright.h; None where there is no word for it."""
        names = self.names
        match self.kind:
            case "null":
                return f"{names[0]} == 0"
            case "given":
                return f"{names[0]} != 0"
            case "longer":
                return f"{names[0]} != 0 && {names[0]}->{field} != 0"
            case "short":
                return f"{names[0]} == 0 || {names[0]}->{field} == 0"
            case "equal":
                return f"{names[0]} == {names[1]}"
            case "different":
                return f"{names[0]} != {names[1]}"
            case "disjoint":
                return f"hw_disjoint({names[0]}, {names[1]}, {field})"
            case "leads":
                return f"hw_reach({names[0]}, {names[1]}, {field})"
            case "apart":
                return f"{names[1]} == 0 || !hw_reach({names[0]}, {names[1]}, {field})"
            case "rising":
                return f"hw_sorted({names[0]}, {field}, {names[1]})"
            case "falling":
                return f"hw_sorted_down({names[0]}, {field}, {names[1]})"
            case _:
                macro = {1: "hw_all_reachable", 2: "hw_all_reachable_from"}.get(len(names))
                return None if macro is None else f"{macro}({', '.join((*names, field))})"


def claims(inputs: Sequence[str], *, allocation: bool, key: str = "") -> Iterator[Claim]:
    """Every claim about these inputs, simple ones first."""
    for name in inputs:
        yield Claim("given", (name,))
        yield Claim("null", (name,))
        yield Claim("longer", (name,))
        yield Claim("short", (name,))
    for one, other in itertools.combinations(inputs, 2):
        yield Claim("disjoint", (one, other))
        yield Claim("different", (one, other))
        yield Claim("equal", (one, other))
    for one, other in itertools.permutations(inputs, 2):
        yield Claim("apart", (one, other))
        yield Claim("leads", (one, other))
    if key:
        for name in inputs:
            yield Claim("rising", (name, key))
            yield Claim("falling", (name, key))
    if allocation:
        for size in range(len(inputs), -1, -1):
            for names in itertools.combinations(inputs, size):
                yield Claim("covered", names)


def clauses(inputs: Sequence[str], *, allocation: bool, key: str = "") -> list[Clause]:
    """Claims, and disjunctions of two; the last says that nothing is allowed."""
    found = list(claims(inputs, allocation=allocation, key=key))
    return [*((claim,) for claim in found), *itertools.combinations(found, 2), FALSE]


def clause_holds(clause: Clause, vocabulary: Vocabulary, heap: Heap) -> bool:
    return any(claim.holds(vocabulary, heap) for claim in clause)


def clause_formula(clause: Clause, words: Words) -> Any:
    return z3.Or(z3.BoolVal(False, words.context), *(claim.formula(words) for claim in clause))


def clause_text(clause: Clause, field: str) -> str:
    if not clause:
        return "false"
    texts = [claim.text(field) for claim in clause]
    return texts[0] if len(texts) == 1 else OR.join(f"({text})" if " " in text else text for text in texts)


def clause_words(clause: Clause) -> str:
    return (
        ", or ".join(claim.words() for claim in clause) if clause else "nothing better than false: no input is allowed"
    )


def clause_macro(clause: Clause, field: str) -> str | None:
    macros = [claim.macro(field) for claim in clause]
    known = [f"({macro})" if " && " in macro and len(macros) > 1 else macro for macro in macros if macro is not None]
    return " || ".join(known) if known and len(known) == len(macros) else None
