"""The shape predicates of heapwright.h as formulas: `acyclic(x, next)`, `dll(x, next, prev)` and the others.

program/semantics/shape_predicates.py defines them on concrete heaps: a predicate that would have to follow a
freed or uninitialised pointer is false. A predicate that the vocabulary does not support is 1/2. Fields are cells
here, the same ones wherever the pointers may lead (see engines/tvl/encoding/memory/resolved_commands.py).

    shape(heap, ShapeLiteral("acyclic", (Var("x"),), ("node.next",)))   # nothing on a cycle, freed ...
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.engines.tvl.encoding import predicate_names as names
from heapwright.engines.tvl.encoding.predicates.heap_reachability import ALL, ReachAll
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.logic.formulas import FALSE, HALF, And, Equal, Exists, Formula, Not, Or, atom
from heapwright.program.expressions import Null, ShapeLiteral, Var
from heapwright.program.graph import Program


def shape(heap: HeapVocabulary, literal: ShapeLiteral) -> Formula | None:
    """The formula of a predicate; None if the vocabulary does not support it."""
    found = _positive(heap, literal)
    return Not(found) if literal.negated and found is not None else found


def _positive(heap: HeapVocabulary, literal: ShapeLiteral) -> Formula | None:
    match literal.predicate, literal.pointers, literal.fields:
        case "acyclic", (Var(x),), (next_,):
            return acyclic(heap, x, next_)
        case "cyclic", (Var(x),), (next_,):
            return _cyclic(heap, x, next_)
        case "reach", (Var(x), Null()), (next_,):
            return acyclic(heap, x, next_)
        case "reach", (Var(x), Var(y)), (next_,):
            return _reach(heap, x, y, next_)
        case "disjoint", (Var(x), Var(y)), (next_,):
            return _disjoint(heap, x, y, next_)
        case "sorted" | "sorted_down", (Var(x),), (next_, _):
            return _sorted(heap, x, next_, literal)
        case "dll", (Var(x),), (next_, prev):
            return _doubly_linked(heap, x, next_, prev)
        case "tree", (Var(x),), (left, right):
            return _tree(heap, x, left, right)
        case "all_reachable", pointers, (next_,):
            variables = [pointer.name for pointer in pointers if isinstance(pointer, Var)]
            return _all_reachable(heap, variables, next_) if len(variables) == len(pointers) else None
    return None


@dataclass(frozen=True)
class _Chain:
    """The objects from a variable on along one field."""

    heap: HeapVocabulary
    variable: str
    field: str  # T.f

    @staticmethod
    def of(heap: HeapVocabulary, variable: str, field: str) -> _Chain | None:
        needed = {names.cycle_name(field), names.reach_name(variable, field)}
        return _Chain(heap, variable, field) if needed <= heap.vocabulary.by_name.keys() else None

    @property
    def defined(self) -> Formula:
        return Not(atom(names.junk(self.variable)))

    def in_order(self, node: str) -> Formula:
        """On the chain, as far as its order goes."""
        return atom(names.reach_name(self.variable, self.field), node)

    def member(self, node: str) -> Formula:
        """On the chain: in its order, or on the cycle that it ends in."""
        return Or((self.in_order(node), atom(names.ring_name(self.variable, self.field), node)))

    def unreadable(self, node: str) -> Formula:
        return Or((atom(names.FREED, node), atom(names.ENDED, node), atom(names.junk(self.field), node)))

    @property
    def readable(self) -> Formula:
        """No object on the chain is freed or has junk in the field. Those are at the end of the order."""
        return Not(Exists(("v",), And((self.in_order("v"), self.unreadable("v")))))


def acyclic(heap: HeapVocabulary, variable: str, field: str) -> Formula | None:
    """The chain ends in null."""
    chain = _Chain.of(heap, variable, field)
    if chain is None:
        return None
    cyclic = Exists(("v",), And((chain.in_order("v"), atom(names.cycle_name(chain.field), "v"))))
    return And((chain.defined, chain.readable, Not(cyclic)))


def _cyclic(heap: HeapVocabulary, variable: str, field: str) -> Formula | None:
    chain = _Chain.of(heap, variable, field)
    if chain is None:
        return None
    here = Exists(("v",), And((atom(variable, "v"), atom(names.cycle_name(chain.field), "v"))))
    return And((chain.defined, Or((Not(names.not_null(Var(variable))), here))))


def _reach(heap: HeapVocabulary, variable: str, other: str, field: str) -> Formula | None:
    chain, to_null = _Chain.of(heap, variable, field), acyclic(heap, variable, field)
    if chain is None or to_null is None:
        return None
    met = Exists(("v",), And((atom(other, "v"), chain.member("v"), Not(chain.unreadable("v")))))
    decided = Or((met, And((Not(names.not_null(Var(other))), to_null))))
    return And((chain.defined, Not(atom(names.junk(other))), decided))


def _disjoint(heap: HeapVocabulary, variable: str, other: str, field: str) -> Formula | None:
    one, two = _Chain.of(heap, variable, field), _Chain.of(heap, other, field)
    if one is None or two is None or one.field != two.field:
        return None
    # Chains that share an object share the ends of their orders.
    common = Exists(("v",), And((one.in_order("v"), two.in_order("v"))))
    return And((one.defined, two.defined, one.readable, two.readable, Not(common)))


def _sorted(heap: HeapVocabulary, variable: str, field: str, literal: ShapeLiteral) -> Formula | None:
    ends = acyclic(heap, variable, field)
    told = [found for family in heap.families if (found := family.meaning(literal)) is not None]
    return And((ends, *(told[:1] or (HALF,)))) if ends is not None else None


def _doubly_linked(heap: HeapVocabulary, variable: str, field: str, back: str) -> Formula | None:
    chain, ends = _Chain.of(heap, variable, field), acyclic(heap, variable, field)
    if chain is None or ends is None or back not in heap.fields:
        return None
    named = names.forth_name(field, back)
    if named not in heap.vocabulary:
        inverses = heap.roles.backward.get(field, ())
        named = names.back_name(field) if inverses == (back,) else ""
    if named:
        answered: Formula = atom(named, "v")
    else:
        answered = Not(Exists(("w",), And((atom(field, "v", "w"), Not(atom(back, "w", "v"))))))
    astray = Exists(("v",), And((chain.in_order("v"), Not(answered))))
    return And((ends, Not(astray)))


def _all_reachable(heap: HeapVocabulary, variables: Sequence[str], field: str) -> Formula | None:
    chains = [_Chain.of(heap, variable, field) for variable in variables]
    known = [chain for chain in chains if chain is not None]
    declared, blocks = heap.program.variables[variables[0]].target, heap.flow.blocks
    kinds = [kind for kind in blocks.kinds if _has_object(heap.program, blocks.type_of(kind.root), declared)]
    if len(known) < len(chains) or [blocks.type_of(kind.root) for kind in kinds] != [declared]:
        return None
    live: list[Formula] = [
        atom(names.HEAP, "v"),
        Not(atom(names.FREED, "v")),
        *(Not(chain.member("v")) for chain in known),
    ]
    if heap.several_types:
        live.append(atom(names.is_type(kinds[0].name), "v"))
    sound = [part for chain in known for part in (chain.defined, chain.readable)]
    return And((*sound, Not(atom(names.LOST)), Not(Exists(("v",), And(tuple(live))))))


def _has_object(program: Program, type: str, wanted: str) -> bool:
    """Objects of a type are, or have in them, objects of another."""
    found = program.types.get(type)
    inner = [part.type for part in found.parts] if found is not None else []
    if found is not None and found.cells is not None and found.cells.object:
        inner.append(found.cells.object)
    return type == wanted or found is None or any(_has_object(program, each, wanted) for each in inner)


def _tree(heap: HeapVocabulary, variable: str, left: str, right: str) -> Formula | None:
    fields = (left, right)
    along = [family for family in heap.families if isinstance(family, ReachAll)]
    if not along or set(along[0].fields) != set(fields) or variable not in along[0].variables:
        return None

    def reached(node: str) -> Formula:
        return atom(names.reach_name(variable, ALL), node)

    def arrow(source: str, target: str) -> Formula:
        return And((reached(source), Or(tuple(atom(field, source, target) for field in fields))))

    unreadable = Or(
        (atom(names.FREED, "v"), atom(names.ENDED, "v"), *(atom(names.junk(field), "v") for field in fields))
    )
    both = And((reached("a"), *(atom(field, "a", "v") for field in fields)))
    twice = Or(
        (
            Exists(("a", "b"), And((arrow("a", "v"), arrow("b", "v"), Not(Equal("a", "b"))))),
            Exists(("a",), both) if fields[0] != fields[1] else FALSE,
        )
    )
    again = Or(
        (And((atom(names.shared_name(ALL), "v"), twice)), And((atom(variable, "v"), Exists(("a",), arrow("a", "v")))))
    )
    wrong = Exists(("v",), And((reached("v"), Or((unreadable, again)))))
    return And((Not(atom(names.junk(variable))), Not(wrong)))
