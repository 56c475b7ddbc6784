"""Clauses of a precondition: disjunctions of claims about the inputs, as formulas, in words and as C macros.

>>> disjoint = Claim("disjoint", ("x", "y"))
>>> disjoint.macro(["n"]), disjoint.words()
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
| endless | x is not null, and reaches a cycle: only with cyclic fields |
| home | the field of the successor of x along another field points to x |
| parted | no object but x itself is reached from x along the field and along another one |

Rising and falling have the key as their second name. A claim is about one field; the last two are about two.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from heapwright.engines.infer.heaps.prover.encoding import Encoding
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap
from heapwright.engines.infer.heaps.structure import Vocabulary
from heapwright.smt.terms import conj, disj, exists, for_all, implies, negation

Clause = tuple["Claim", ...]
OR = " \N{LOGICAL OR} "
FALSE: Clause = ()
ORDERS = ("rising", "falling")


@dataclass(frozen=True, slots=True)
class Claim:
    kind: str
    names: tuple[str, ...]
    field: int = 0
    other: int = 0

    @property
    def variables(self) -> tuple[str, ...]:
        return self.names[:1] if self.kind in ORDERS else self.names

    def holds(self, vocabulary: Vocabulary, heap: Heap) -> bool:
        """Its truth in a heap over the whole vocabulary."""
        at = [heap.at[vocabulary.variables.index(name)] for name in self.variables]
        reached = [set(heap.reached(place, self.field)) for place in at]
        match self.kind:
            case "null" | "given":
                return (at[0] == NOWHERE) == (self.kind == "null")
            case "longer" | "short":
                return (at[0] != NOWHERE and heap.next[self.field][at[0]] != NOWHERE) == (self.kind == "longer")
            case "equal" | "different":
                return (at[0] == at[1]) == (self.kind == "equal")
            case "disjoint":
                return not reached[0] & reached[1]
            case "leads":
                return at[1] == NOWHERE or at[1] in reached[0]
            case "apart":
                return at[1] == NOWHERE or at[1] not in reached[0]
            case "covered":
                return all(any(i in r for r in reached) for i in range(heap.size) if heap.allocated(i))
            case "rising" | "falling":
                keys = [heap.keys[i] for i in heap.reached(at[0])]
                return keys == sorted(keys, reverse=self.kind == "falling")
            case "endless":
                return bool(reached[0]) and all(heap.next[self.field][i] != NOWHERE for i in reached[0])
            case "home":
                aside = NOWHERE if at[0] == NOWHERE else heap.next[self.other][at[0]]
                return aside == NOWHERE or heap.next[self.field][aside] == at[0]
            case "parted":
                return reached[0] & set(heap.reached(at[0], self.other)) <= {at[0]}
        raise ValueError(f"no claim {self.kind!r}")

    def formula(self, encoding: Encoding) -> Any:
        """Formula for the solver."""
        view, x, along = encoding.view, encoding.any[0], self.field
        k = [encoding.vocabulary.variables.index(name) for name in self.variables]
        match self.kind:
            case "null":
                return negation(view.there[k[0]])
            case "given":
                return view.there[k[0]]
            case "longer":
                if encoding.vocabulary.cyclic:
                    return conj(view.there[k[0]], negation(encoding.ends(view.where[k[0]])))
                beyond = conj(view.paths[along](view.where[k[0]], x), x != view.where[k[0]])
                return conj(view.there[k[0]], exists([x], beyond))
            case "short":
                if encoding.vocabulary.cyclic:
                    return implies(view.there[k[0]], encoding.ends(view.where[k[0]]))
                return for_all([x], disj(negation(view.reach(k[0], x, along)), x == view.where[k[0]]))
            case "equal" | "different":
                one, two = view.there[k[0]], view.there[k[1]]
                equal = conj(one == two, implies(one, view.where[k[0]] == view.where[k[1]]))
                return equal if self.kind == "equal" else negation(equal)
            case "disjoint":
                return for_all([x], negation(conj(view.reach(k[0], x, along), view.reach(k[1], x, along))))
            case "leads":
                return implies(view.there[k[1]], view.reach(k[0], view.where[k[1]], along))
            case "apart":
                return implies(view.there[k[1]], negation(view.reach(k[0], view.where[k[1]], along)))
            case "covered":
                none = encoding.symbols.truth(False)
                return for_all([x], implies(view.alloc(x), disj(none, *(view.reach(i, x, along) for i in k))))
            case "rising" | "falling":
                y = encoding.any[1]
                right = encoding.below(x, y) if self.kind == "rising" else encoding.below(y, x)
                return for_all([x, y], implies(conj(view.reach(k[0], x, along), view.paths[along](x, y)), right))
            case "endless":
                ending = conj(view.path(view.where[k[0]], x), encoding.ends(x))
                return conj(view.there[k[0]], for_all([x], negation(ending)))
            case "home":
                return self._home(encoding, k[0])
            case "parted":
                both = conj(view.reach(k[0], x, along), view.reach(k[0], x, self.other))
                return for_all([x], implies(both, x == view.where[k[0]]))
        raise ValueError(f"no claim {self.kind!r}")

    def _home(self, encoding: Encoding, variable: int) -> Any:
        """The successor along the other field is a constant; never the object itself, as the field is acyclic."""
        name, here = f"{self.names[0]} {self.other}", encoding.view.where[variable]
        there, where = encoding.symbols.boolean(f"there {name}"), encoding.object(f"aside {name}")
        leads = encoding.successor(here, there, where, self.other)
        back = encoding.successor(where, encoding.symbols.truth(True), here, self.field)
        return implies(encoding.view.there[variable], conj(leads, implies(there, back)))

    def text(self, fields: Sequence[str]) -> str:
        """Formula of first-order logic with reachability."""
        names, field = self.names, fields[self.field]
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
            case "endless":
                return f"{names[0]} ≠ null ∧ ∀v. ¬{field}*({names[0]}, v){OR}∃w. {field}(v, w)"
            case "home":
                return f"∀v. ¬{fields[self.other]}({names[0]}, v){OR}{field}(v, {names[0]})"
            case "parted":
                return f"∀v. ¬{fields[self.other]}*({names[0]}, v){OR}¬{field}*({names[0]}, v){OR}v = {names[0]}"
            case _:
                reached = [f"{field}*({name}, v)" for name in names]
                return "∀v. " + OR.join(["¬alloc(v)", *reached])

    def words(self, fields: Sequence[str] = ("",)) -> str:
        """Plain English, with the name of the field if there are several."""
        names, field = self.names, fields[self.field]
        by = f" by {field}" if len(fields) > 1 else ""
        match self.kind:
            case "null":
                return f"{names[0]} is null"
            case "given":
                return f"{names[0]} is not null"
            case "longer":
                return f"{names[0]} has at least two objects{by}"
            case "short":
                return f"{names[0]} has no object after the first{by}"
            case "equal":
                return f"{names[0]} and {names[1]} are the same"
            case "different":
                return f"{names[0]} and {names[1]} are not the same"
            case "disjoint":
                return f"the lists {names[0]} and {names[1]} share no object{by}"
            case "leads":
                return f"{names[0]} leads to {names[1]}{by}, or {names[1]} is null"
            case "apart":
                return f"{names[0]} does not lead to {names[1]}{by}, or {names[1]} is null"
            case "rising" | "falling":
                never = "decreases" if self.kind == "rising" else "increases"
                return f"along the list {names[0]} {names[1]} never {never}"
            case "endless":
                return f"{names[0]} is not null, and following {field} from it never ends"
            case "home":
                aside = f"{names[0]}->{fields[self.other]}"
                return f"{names[0]} or {aside} is null, or {aside}->{field} is {names[0]}"
            case "parted":
                return (
                    f"no object but {names[0]} is reached from {names[0]} both by {field} and by {fields[self.other]}"
                )
            case _:
                if not names:
                    return "no object is allocated"
                return f"every allocated object is reached from {' or '.join(names)}{by}"

    def macro(self, fields: Sequence[str]) -> str | None:
        """C expression with heapwright.h; None if there is none."""
        names, field = self.names, fields[self.field]
        aside = f"{names[0]}->{fields[self.other]}" if names else ""
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
                return f"{names[1]} == 0 || hw_reach({names[0]}, {names[1]}, {field})"
            case "apart":
                return f"{names[1]} == 0 || !hw_reach({names[0]}, {names[1]}, {field})"
            case "rising":
                return f"hw_sorted({names[0]}, {field}, {names[1]})"
            case "falling":
                return f"hw_sorted_down({names[0]}, {field}, {names[1]})"
            case "endless":
                return f"!hw_acyclic({names[0]}, {field})"
            case "home":
                return f"{names[0]} == 0 || {aside} == 0 || {aside}->{field} == {names[0]}"
            case "parted":
                return None
            case _:
                macro = {1: "hw_all_reachable", 2: "hw_all_reachable_from"}.get(len(names))
                return None if macro is None else f"{macro}({', '.join((*names, field))})"


def stronger_macro(clause: Clause, fields: Sequence[str]) -> tuple[str, set[tuple[str, int]]] | None:
    """C expression that implies a clause without one, and the variables and fields that it implies to be acyclic."""
    for claim in clause:
        if claim.kind == "parted":
            # Were v reached both ways, the one would lead from v back to x, and x would be on a cycle of the other.
            name, one, other = claim.names[0], fields[claim.field], fields[claim.other]
            text = f"hw_dll({name}, {one}, {other}) && hw_dll({name}, {other}, {one})"
            return text, {(name, claim.field), (name, claim.other)}
    return None


def claims(inputs: Sequence[str], vocabulary: Vocabulary) -> Iterator[Claim]:
    """Every claim about these inputs, simple ones first."""
    fields, key = vocabulary.fields, vocabulary.key
    for name in inputs:
        yield Claim("given", (name,))
        yield Claim("null", (name,))
    for one, other in itertools.combinations(inputs, 2):
        yield Claim("different", (one, other))
        yield Claim("equal", (one, other))
    for field in range(fields):
        for name in inputs:
            yield Claim("longer", (name,), field)
            yield Claim("short", (name,), field)
        for one, other in itertools.combinations(inputs, 2):
            yield Claim("disjoint", (one, other), field)
        for one, other in itertools.permutations(inputs, 2):
            yield Claim("apart", (one, other), field)
            yield Claim("leads", (one, other), field)
        for name, other_field in itertools.product(inputs, range(fields)):
            if other_field != field:
                yield Claim("home", (name,), field, other_field)
            if other_field > field:
                yield Claim("parted", (name,), field, other_field)
    for name in inputs if key else ():
        yield Claim("rising", (name, key))
        yield Claim("falling", (name, key))
    for name in inputs if vocabulary.cyclic else ():
        yield Claim("endless", (name,))
    if vocabulary.allocation:
        for field, size in itertools.product(range(fields), range(len(inputs), -1, -1)):
            for names in itertools.combinations(inputs, size):
                yield Claim("covered", names, field)


def clauses(inputs: Sequence[str], vocabulary: Vocabulary) -> list[Clause]:
    """Claims, disjunctions of two, and false."""
    found = list(claims(inputs, vocabulary))
    return [*((claim,) for claim in found), *itertools.combinations(found, 2), FALSE]


def clause_holds(clause: Clause, vocabulary: Vocabulary, heap: Heap) -> bool:
    return any(claim.holds(vocabulary, heap) for claim in clause)


def clause_formula(clause: Clause, encoding: Encoding) -> Any:
    return disj(encoding.symbols.truth(False), *(claim.formula(encoding) for claim in clause))


def clause_text(clause: Clause, fields: Sequence[str]) -> str:
    if not clause:
        return "false"
    texts = [claim.text(fields) for claim in clause]
    return texts[0] if len(texts) == 1 else OR.join(f"({text})" if " " in text else text for text in texts)


def clause_words(clause: Clause, fields: Sequence[str] = ("",)) -> str:
    return ", or ".join(claim.words(fields) for claim in clause) if clause else "false: no input was found to be safe"


def clause_macro(clause: Clause, fields: Sequence[str]) -> str | None:
    macros = [claim.macro(fields) for claim in clause]
    known = [f"({macro})" if " && " in macro and len(macros) > 1 else macro for macro in macros if macro is not None]
    return " || ".join(known) if known and len(known) == len(macros) else None
