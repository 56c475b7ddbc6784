"""Clauses of a precondition: disjunctions of claims about the inputs, as formulas, in words and as C macros.

>>> disjoint = Claim("disjoint", ("x", "y"))
>>> disjoint.macro(["n"]), disjoint.words()
('hw_disjoint(x, y, n)', 'the lists x and y share no object')

| claim | meaning |
|---|---|
| null, given | x is null, is not null |
| longer, short | x has a successor; it has none, or is null |
| equal, different | x and y are, are not, the same pointer |
| disjoint, meeting | no object is reached from x and from y, some object is |
| leads, apart | x reaches y (or y is null), x does not reach y (or y is null) |
| last, before | y is the last object of the list x, is not |
| covered | every allocated object is reached from one of these variables |
| rising, falling | along x the keys never decrease, never increase |
| endless, ending | x is not null and reaches a cycle, does not: only with cyclic fields |
| circle, straight | x is on a cycle, is on none or null: likewise |
| round, open | x is null or on a cycle, is not null and on none: likewise |
| tree, no tree | x is a tree by two fields, is none; a ghost (`Tree`) says so |
| doubly, not doubly | the list x by the field is, is not, doubly linked by another one |
| home | the field of the successor of x along another field points to x |
| parted | no object but x itself is reached from x along the field and along another one |

Rising and falling have the key as their second name. A claim is about one field; the last two are about two.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from heapwright.engines.infer.heaps.object_layout import ObjectLayout
from heapwright.engines.infer.heaps.preconditions.claim_texts import OR, SHAPES, ClaimText
from heapwright.engines.infer.heaps.prover.assumed_shapes import circular, doubly_linked, endless
from heapwright.engines.infer.heaps.prover.encoding import Encoding
from heapwright.engines.infer.heaps.prover.terms import (
    EncodedTerms,
    HeapTerms,
    Place,
    depth,
    extended,
    paths,
    split,
)
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap, is_doubly_linked
from heapwright.engines.infer.heaps.structure import Vocabulary
from heapwright.smt.terms import conj, disj, exists, for_all, implies, negation

Clause = tuple["Claim", ...]
FALSE: Clause = ()
ORDERS = ("rising", "falling")
TREES = ("tree", "no tree")
DOUBLY = ("doubly", "not doubly")


class Claim(ClaimText):
    __slots__ = ()

    @property
    def variables(self) -> tuple[str, ...]:
        return self.names[:1] if self.kind in (*ORDERS, *TREES) else self.names

    def holds(self, vocabulary: Vocabulary, heap: Heap) -> bool:
        """Its truth in a heap over the whole vocabulary."""
        return self.true(HeapTerms(vocabulary, heap))

    def true(self, terms: HeapTerms) -> bool:
        heap, along = terms.heap, self.field
        at = [terms.at(name) for name in self.variables]
        if self.kind in SHAPES:
            return self._true_of_shape(heap, at[0])
        match self.kind:
            case "null" | "given":
                return (at[0] == NOWHERE) == (self.kind == "null")
            case "longer" | "short":
                return (at[0] != NOWHERE and heap.next[along][at[0]] != NOWHERE) == (self.kind == "longer")
            case "equal" | "different":
                same = at[0] == at[1] and all(map(terms.exists, self.names))
                return same == (self.kind == "equal")
            case "disjoint" | "meeting":
                shared = terms.reached(at[0], along) & terms.reached(at[1], along)
                return bool(shared) == (self.kind == "meeting")
            case "leads":
                return at[1] == NOWHERE or at[1] in terms.reached(at[0], along)
            case "apart":
                return at[1] == NOWHERE or at[1] not in terms.reached(at[0], along)
            case "last" | "before":
                last = at[1] in terms.reached(at[0], along) and heap.next[along][at[1]] == NOWHERE
                return last == (self.kind == "last")
            case "covered":
                reached = [terms.reached(one, along) for one in at]
                return all(any(i in r for r in reached) for i in range(heap.size) if heap.allocated(i))
            case "rising" | "falling":
                keys = [heap.keys[i] for i in heap.reached(at[0])]
                return keys == sorted(keys, reverse=self.kind == "falling")
            case "home":
                aside = NOWHERE if at[0] == NOWHERE else heap.next[self.other][at[0]]
                return aside == NOWHERE or heap.next[along][aside] == at[0]
            case "parted":
                return terms.reached(at[0], along) & terms.reached(at[0], self.other) <= {at[0]}
        raise ValueError(f"no claim {self.kind!r}")

    def formula(self, terms: EncodedTerms) -> Any:
        """Formula for the solver, to be used with the definitions of the terms."""
        encoding, along = terms.encoding, self.field
        view, x = encoding.view, encoding.any[0]
        names = self.variables
        place = [terms.place(name) for name in names]
        if self.kind in SHAPES:
            return self._formula_of_shape(encoding, place[0])
        match self.kind:
            case "null" | "given":
                return place[0].there if self.kind == "given" else negation(place[0].there)
            case "longer" | "short":
                beyond = terms.place(extended(names[0], (along,))).there
                return beyond if self.kind == "longer" else negation(beyond)
            case "equal" | "different":
                one, two = place
                equal = conj(one.there == two.there, implies(one.there, one.where == two.where))
                same = conj(*map(terms.exists, names), equal)
                return same if self.kind == "equal" else negation(same)
            case "disjoint":
                return for_all([x], negation(conj(*(terms.reach(name, x, along) for name in names))))
            case "meeting":
                return exists([x], conj(*(terms.reach(name, x, along) for name in names)))
            case "leads":
                return implies(place[1].there, terms.reach(names[0], place[1].where, along))
            case "apart":
                return implies(place[1].there, negation(terms.reach(names[0], place[1].where, along)))
            case "last" | "before":
                onward = terms.place(extended(names[1], (along,))).there
                last = conj(place[1].there, terms.reach(names[0], place[1].where, along), negation(onward))
                return last if self.kind == "last" else negation(last)
            case "covered":
                none = encoding.symbols.truth(False)
                return for_all([x], implies(view.alloc(x), disj(none, *(terms.reach(i, x, along) for i in names))))
            case "rising" | "falling":
                y = encoding.any[1]
                right = encoding.below(x, y) if self.kind == "rising" else encoding.below(y, x)
                return for_all([x, y], implies(conj(terms.reach(names[0], x, along), view.paths[along](x, y)), right))
            case "home":
                aside, back = extended(names[0], (self.other,)), extended(names[0], (self.other, along))
                home = conj(terms.place(back).there, terms.place(back).where == place[0].where)
                return implies(terms.place(aside).there, home)
            case "parted":
                both = conj(terms.reach(names[0], x, along), terms.reach(names[0], x, self.other))
                return for_all([x], implies(both, x == place[0].where))
        raise ValueError(f"no claim {self.kind!r}")

    def _true_of_shape(self, heap: Heap, at: int) -> bool:
        if self.kind in DOUBLY:
            return is_doubly_linked(heap, at, self.field, self.other) == (self.kind == "doubly")
        reached = heap.reached(at, self.field)
        ends = not reached or heap.next[self.field][reached[-1]] == NOWHERE
        back = bool(reached) and heap.next[self.field][reached[-1]] == at
        null = at == NOWHERE
        if self.kind in TREES:
            return null == (self.kind == "tree")  # of a ghost
        truths = {"ending": ends, "endless": not ends, "circle": back, "straight": not back}
        return {**truths, "round": null or back, "open": not (null or back)}[self.kind]

    def _formula_of_shape(self, encoding: Encoding, place: Place) -> Any:
        x = encoding.any[0]
        if self.kind in TREES:
            return negation(place.there) if self.kind == "tree" else place.there
        if self.kind in DOUBLY:
            doubly = implies(place.there, doubly_linked(encoding, place.where, self.field, self.other))
            return doubly if self.kind == "doubly" else negation(doubly)
        if self.kind in ("endless", "ending"):
            claim = endless(encoding, place.there, encoding.view.path(place.where, x), x)
        else:
            claim = circular(encoding, place.there, place.where)
            if self.kind in ("round", "open"):
                claim = disj(negation(place.there), claim)
        return claim if self.kind in ("endless", "circle", "round") else negation(claim)


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
        for name in inputs if not (vocabulary.cyclic or vocabulary.edges) else ():
            yield Claim("longer", (name,), field)
            yield Claim("short", (name,), field)
        for one, other in itertools.combinations(inputs, 2):
            yield Claim("disjoint", (one, other), field)
            yield Claim("meeting", (one, other), field)
        for one, other in itertools.permutations(inputs, 2):
            yield Claim("apart", (one, other), field)
            yield Claim("leads", (one, other), field)
            if not vocabulary.cyclic:
                yield Claim("last", (one, other), field)
                yield Claim("before", (one, other), field)
        for name, other_field in itertools.product(inputs, range(fields)):
            if other_field != field:
                yield Claim("home", (name,), field, other_field)
            if other_field > field:
                yield Claim("parted", (name,), field, other_field)
    for tree, kind in itertools.product(vocabulary.trees, TREES):
        yield Claim(kind, (tree.name, tree.term), tree.left, tree.right)
    for name in inputs if key else ():
        yield Claim("rising", (name, key))
        yield Claim("falling", (name, key))
    for name in inputs if vocabulary.cyclic else ():
        for kind in ("endless", "ending", "circle", "straight", "round", "open"):
            yield Claim(kind, (name,))
    if vocabulary.allocation:
        for field, size in itertools.product(range(fields), range(len(inputs), -1, -1)):
            for names in itertools.combinations(inputs, size):
                yield Claim("covered", names, field)


def path_claims(inputs: Sequence[str], vocabulary: Vocabulary, most: int, longest: int) -> Iterator[Claim]:
    """Claims about what inputs lead to in up to `longest` steps, short paths first, and about two of these with up to
    `most` steps together."""
    fields = range(vocabulary.fields)
    beyond = [extended(name, path) for path in paths(vocabulary.fields, longest) for name in inputs]
    for term in beyond:
        aside = vocabulary.cyclic or bool(vocabulary.edges)
        if depth(term) > 1 or aside:
            yield Claim("given", (term,), aside=aside)
            yield Claim("null", (term,), aside=aside)
    every = sorted((*inputs, *(term for term in beyond if depth(term) <= most)), key=depth)
    couples = [pair[::-1] for pair in itertools.combinations(every, 2) if 1 <= depth(pair[0]) + depth(pair[1]) <= most]
    couples.sort(key=lambda pair: depth(pair[0]) + depth(pair[1]))
    for pair in couples:
        yield Claim("equal", pair)
        yield Claim("different", pair)
    for (one, other), field in itertools.product(couples, fields):
        yield Claim("disjoint", (one, other), field)
        yield Claim("meeting", (one, other), field)
        for pair in ((one, other), (other, one)):
            yield Claim("apart", pair, field)
            yield Claim("leads", pair, field)


def doubly_linked_claims(inputs: Sequence[str], pairs: Iterable[tuple[int, int]]) -> Iterator[Claim]:
    """Claims about the pairs of fields that the function tests."""
    for name, (field, back), kind in itertools.product(inputs, pairs, DOUBLY):
        yield Claim(kind, (name,), field, back)


def well_typed(claim: Claim, layout: ObjectLayout, kinds: Mapping[str, int]) -> bool:
    """Whether a claim follows fields of the types of its inputs: of objects of one type, where it is about two of them
    or about a list."""
    of = [layout.followed(kinds[split(name)[0]], split(name)[1]) for name in claim.variables]
    if None in of or len(set(of)) > 1:
        return False
    match claim.kind:
        case "null" | "given" | "equal" | "different":
            return True
        case "longer" | "short":
            return layout.fields[claim.field].source == of[0]
        case "home":
            return layout.followed(of[0] or 0, (claim.other, claim.field)) == of[0]
        case "covered":
            return False  # of all types together
        case _:
            two = claim.kind in ("parted", *DOUBLY)
            fields = {claim.field, claim.other} if two else {claim.field}
            return all(layout.loops(field) and layout.fields[field].source == of[0] for field in fields)


def clause_holds(clause: Clause, vocabulary: Vocabulary, heap: Heap) -> bool:
    return any(claim.holds(vocabulary, heap) for claim in clause)


def clause_formula(clause: Iterable[Claim], terms: EncodedTerms) -> Any:
    return disj(terms.encoding.symbols.truth(False), *(claim.formula(terms) for claim in clause))


def clause_text(clause: Clause, fields: Sequence[str]) -> str:
    if not clause:
        return "false"
    texts = [claim.text(fields) for claim in clause]
    return texts[0] if len(texts) == 1 else OR.join(f"({text})" if " " in text else text for text in texts)


def clause_words(clause: Clause, fields: Sequence[str] = ("",)) -> str:
    return ", or ".join(claim.words(fields) for claim in clause) if clause else "false: no input was found to be safe"


def clause_macro(clause: Clause, fields: Sequence[str]) -> str | None:
    macros = [claim.macro(fields) for claim in clause]
    known: list[str] = []
    for macro in macros:
        if macro is None:
            return None
        whole = " && " in macro and len(macros) > 1
        known += [f"({macro})"] if whole else macro.split(" || ") if "(" not in macro else [macro]
    return " || ".join(dict.fromkeys(known)) or None
