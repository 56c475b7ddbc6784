"""Figures 3, 6, 7 and 9 of the paper: structures that refinement and loose embedding make, built and compared.

The vocabulary is the paper's, simplified as the figures are: variables, `n`, and reachability along `n`. Lists are
named by their nodes: `x i i y t s s` is a list with head x, two nodes up to y, then t, and two more.
"""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.focus.focus import Focus
from heapwright.engines.tvl.structures import canonical_abstraction, embedding, loose_embedding
from heapwright.engines.tvl.structures.structure import SUMMARY, Draft, Structure, kleene
from heapwright.engines.tvl.transform.transformer import Kernel
from heapwright.logic.actions import Action
from heapwright.logic.formulas import And, Atom, Equal, Exists, ForAll, Formula, Not, Or, TransitiveClosure, atom
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary
from heapwright.reproduce.reproduction import Claim

LOADED = Exists(("u",), And((atom("y", "u"), atom("n", "u", "v"))))  # focus of t = y.n
DEREFERENCE = Action("t = y.n", (atom("y", "v"), LOADED), Exists(("v",), atom("y", "v")))
VARIABLES = ("x", "y", "t")


def reached(variable: str) -> Predicate:
    path: Formula = TransitiveClosure("u", "v", "a", "b", Atom("n", ("a", "b")))
    definition = Exists(("u",), And((atom(variable, "u"), Or((Equal("u", "v"), path)))))
    return Predicate(f"r[{variable},n]", 1, definition, ("v",))


def kernel(variables: Sequence[str], *, meet: bool = False) -> Kernel:
    pointers = [Predicate(name, 1, unique=True, pointer=True) for name in variables]
    vocabulary = Vocabulary((*pointers, Predicate("n", 2, function=True), *map(reached, variables)))
    return Kernel.build(vocabulary, all_constraints(vocabulary, ()), refine="meet" if meet else "formula")


def claims() -> list[Claim]:
    return [*refinement(), *refining_set(), *stages(), *inflation()]


# --- Figures 3 and 6 -------------------------------------------------------------------------------------------------


def inbound(made: Kernel) -> Structure:
    """Figure 3(a): y points to the first node of a list, a summary node is the rest."""
    number = made.signature.number
    draft = Draft.empty(made.signature, 2)
    draft.may[number["y"]] = draft.must[number["y"]] = 0b01
    draft.may[number["r[y,n]"]] = draft.must[number["r[y,n]"]] = 0b11
    draft.may[SUMMARY] = 0b10
    draft.may[number["n"]] = 0b10_10  # to the rest, and within it
    return draft.freeze()


def cases(made: Kernel, drafts: Sequence[Draft]) -> list[str]:
    """The targets of y.n in each structure, and the number of nodes beside."""
    y, n = made.signature.number["y"], made.signature.number["n"]
    found = []
    for draft in drafts:
        source = draft.must[y].bit_length() - 1
        row = draft.must[n] >> source * draft.n & (1 << draft.n) - 1
        kind = "null" if not row else "self-loop" if row >> source & 1 else "another node"
        found.append(f"{kind}, {draft.n - len({source, row.bit_length() - 1} - {-1})} others")
    return sorted(found)


def refinement() -> list[Claim]:
    """Figure 3(b): focus makes three structures, of which the constraints, and meet, refuse the first."""
    by_focus, by_meet = kernel(("y",)), kernel(("y",), meet=True)
    split = Focus(by_focus.signature, LOADED).apply([inbound(by_focus).draft()])
    kept = by_focus.refinement(DEREFERENCE).apply(inbound(by_focus))
    met = by_meet.refinement(DEREFERENCE).apply(inbound(by_meet))
    figure = ["another node, 0 others", "another node, 1 others", "null, 1 others"]
    return [
        compared("focus makes the three structures of Figure 3(b)", cases(by_focus, split), figure),
        compared("focus and coerce keep the last two of Figure 3(b)", cases(by_focus, kept), figure[:2]),
        compared("meet makes the last two of Figure 3(b) alone", cases(by_meet, met), figure[:2]),
    ]


def refining_set() -> list[Claim]:
    """Figure 6, in which other nodes may be absent: null, where nothing else is reached; a self-loop; another node."""
    made = kernel(("y",), meet=True)
    assert made.refining is not None
    (found,) = made.refining.for_action(DEREFERENCE)
    members = [member.structure.draft() for member in found.members]
    figure = ["another node, 1 others", "null, 1 others", "self-loop, 1 others"]
    r, y = made.signature.number["r[y,n]"], made.signature.number["y"]
    null = [one for one in members if cases(made, [one]) == ["null, 1 others"]]
    alone = bool(null) and all(one.may[r] == one.must[y] for one in null)
    text = "the refining set of t = y.n has the cases of Figure 6"
    return [
        compared(text, cases(made, members), figure),
        Claim("where y.n is null, nothing else is reached from y in the refining set", alone),
    ]


# --- Figure 7 --------------------------------------------------------------------------------------------------------


def doubly_linked() -> Kernel:
    """y, n, the back field p, and what Figure 7 has of them: inverse fields and cycles. Constraints say what follows of
    an edge where they do not hold."""
    back = ForAll(("w",), Or((Not(atom("n", "v", "w")), atom("p", "w", "v"))))
    fields = [Predicate(name, 2, function=True) for name in ("n", "p")]
    cycles = [
        Predicate(f"c[{name}]", 1, TransitiveClosure("v", "v", "a", "b", Atom(name, ("a", "b"))), ("v",))
        for name in ("n", "p")
    ]
    y, inverse = Predicate("y", 1, unique=True, pointer=True), Predicate("b[n,p]", 1, back, ("v",))
    vocabulary = Vocabulary((y, *fields, reached("y"), inverse, *cycles))
    given: list[Constraint] = [
        Constraint(And((Not(atom("b[n,p]", "v")), atom("n", "v", "w"))), Not(atom("p", "w", "v")))
    ]
    given += [Constraint(Not(atom(f"c[{name}]", "v")), Not(atom(name, "v", "v"))) for name in ("n", "p")]
    return Kernel.build(vocabulary, all_constraints(vocabulary, given), refine="meet")


def staged(made: Kernel, predicate: str, edge: str, *, value: bool, back: bool) -> set[str]:
    """Figure 3(a) with unknown back fields, inverse fields and cycles, but for the value of one predicate: that of an
    edge from y.n, to y's node or to itself, where y.n is another node."""
    number, draft = made.signature.number, inbound(made).draft()
    draft.may[number["p"]] = 0b11_11
    for name in ("b[n,p]", "c[n]", "c[p]"):
        draft.may[number[name]] = 0b11
    if value:
        draft.must[number[predicate]] = 0b11
    else:
        draft.may[number[predicate]] = 0
    found: set[str] = set()
    y, n = number["y"], number["n"]
    for one in made.refinement(DEREFERENCE).apply(draft.freeze()):
        first = one.must[y].bit_length() - 1
        then = (one.must[n] >> first * one.n & (1 << one.n) - 1).bit_length() - 1
        if then not in (-1, first):
            bit = then * one.n + (first if back else then)
            found.add(kleene(one.may[number[edge]] >> bit, one.must[number[edge]] >> bit).value)
    return found


def stages() -> list[Claim]:
    """Figure 7: pairs of structures for the values of b[n,p] at y's node, and of c[n] and c[p] at y.n's. They are met
    one after the other, so that sizes add up. Those of one value refine edges alone: no structure becomes two."""
    made = doubly_linked()
    assert made.refining is not None
    (found,) = made.refining.for_action(DEREFERENCE)
    inverse = [staged(made, "b[n,p]", "p", value=value, back=True) for value in (True, False)]
    loops = [staged(made, f"c[{name}]", name, value=False, back=False) for name in ("n", "p")]
    return [
        compared("the pair of Figure 7(a) makes the edge back to y definite", inverse, [{"1"}, {"0"}]),
        compared("those of Figures 7(b) and (c) exclude self-loops of y.n", loops, [{"0"}, {"0"}]),
        compared("the pairs add no members to those of Figure 6", [len(found.members)], [3]),
    ]


# --- Figure 9 --------------------------------------------------------------------------------------------------------


def listed(made: Kernel, nodes: str) -> Structure:
    """A list in the abstract domain; the letters x, y and t are variables."""
    letters = nodes.split()
    size, number = len(letters), made.signature.number
    draft = Draft.empty(made.signature, size)
    for i in range(size - 1):
        draft.must[number["n"]] |= 1 << i * size + i + 1
    for name in VARIABLES:
        draft.must[number[name]] = 1 << letters.index(name)
        draft.must[number[f"r[{name},n]"]] = (1 << size) - 1 & -1 << letters.index(name)
    draft.may = [may | must for may, must in zip(draft.may, draft.must, strict=True)]
    return canonical_abstraction.blur(made.signature, draft)


def inflation() -> list[Claim]:
    """Figure 9: lists without the infix, without the suffix and without both are special cases of (b)."""
    made = kernel(VARIABLES)
    general = listed(made, "x i i y t s s")
    special = [listed(made, nodes) for nodes in ("x i i y t", "x y t s s", "x y t")]
    loose = loose_embedding.loosened(made.signature, general)
    apart = [embedding.embeds(made.signature, one, general) for one in special]
    within = [embedding.embeds(made.signature, one, loose) for one in special]
    sizes = [one.n for one in (general, *special)]
    return [
        compared("lists become the structures of Figure 9, of 5, 4, 4 and 3 nodes", sizes, [5, 4, 4, 3]),
        compared("none of the others embeds in Figure 9(b) under strict embedding", apart, [False] * 3),
        compared("all of them do under loose embedding", within, [True] * 3),
    ]


def compared(text: str, found: Sequence[object], expected: Sequence[object]) -> Claim:
    return Claim(text, found == expected, "" if found == expected else "; ".join(map(str, found)))
