"""The predicates of heapwright.h in logic say what they say of concrete heaps, on heaps of random walks."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
from engines.tvl.encoding.predicates.test_family import MAY_LEAK, PROGRAMS
from engines.tvl.walks import Laws, Walk, program_of

from heapwright.engines.tvl.encoding.actions.shape_formulas import shape
from heapwright.engines.tvl.encoding.memory.resolved_commands import Resolver
from heapwright.engines.tvl.encoding.predicate_names import ENDED, FREED, HEAP, LOST, is_type, junk
from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.structure import Draft
from heapwright.program.expressions import NULL, Literal, ShapeLiteral, Var

NOTHING, JUNK = -1, -2


class Unreadable(Exception):
    pass


class Heap:
    """A concrete structure as objects with fields; the predicates as program/semantics/shape_predicates.py has them."""

    def __init__(self, laws: Laws, draft: Draft) -> None:
        self.laws, self.draft = laws, draft

    def _is(self, name: str, node: int = 0) -> bool:
        return bool(self.draft.may[self.laws.signature.number[name]] >> node & 1)

    def variable(self, name: str) -> int:
        found = list(bits(self.draft.may[self.laws.signature.number[name]]))
        return JUNK if self._is(junk(name)) else found[0] if found else NOTHING

    def next(self, node: int, field: str) -> int:
        if self._is(FREED, node) or self._is(ENDED, node) or self._is(junk(field), node):
            raise Unreadable
        row = self.draft.may[self.laws.signature.number[field]] >> node * self.draft.n & (1 << self.draft.n) - 1
        return next(iter(bits(row)), NOTHING)

    def chain(self, start: int, field: str) -> Iterator[int]:
        seen = set[int]()
        while start != NOTHING and start not in seen:
            seen.add(start)
            following = self.next(start, field)
            yield start
            start = following

    def acyclic(self, x: int, field: str) -> bool:
        nodes = list(self.chain(x, field))
        return not nodes or self.next(nodes[-1], field) == NOTHING

    def cyclic(self, x: int, field: str) -> bool:
        nodes = list(self.chain(x, field))
        return not nodes or self.next(nodes[-1], field) == x

    def reach(self, x: int, y: int, field: str) -> bool:
        return (y == NOTHING and self.acyclic(x, field)) or y in self.chain(x, field)

    def disjoint(self, x: int, y: int, field: str) -> bool:
        return not set(self.chain(x, field)) & set(self.chain(y, field))

    def dll(self, x: int, field: str, back: str) -> bool:
        pairs = itertools.pairwise(self.chain(x, field))
        return self.acyclic(x, field) and all(self.next(b, back) == a for a, b in pairs)

    def tree(self, x: int, left: str, right: str) -> bool:
        seen, pending = set[int](), [x]
        while pending:
            node = pending.pop()
            if node in seen:
                return False
            if node != NOTHING:
                seen.add(node)
                pending += [self.next(node, left), self.next(node, right)]
        return True

    def all_reachable(self, x: int, field: str) -> bool:
        reached, owner = set(self.chain(x, field)), field.rpartition(".")[0]
        alike = [v for v in range(self.draft.n) if not self.laws.heap.several_types or self._is(is_type(owner), v)]
        return not self._is(LOST) and all(v in reached for v in alike if self._is(HEAP, v) and not self._is(FREED, v))


def literals(laws: Laws) -> Iterator[tuple[Literal, list[str]]]:
    """As families see them, with the cells for fields."""
    pointers = ("acyclic", 1, 1), ("cyclic", 1, 1), ("reach", 2, 1), ("disjoint", 2, 1), ("all_reachable", 1, 1)
    program = laws.heap.program
    resolver = Resolver(program, laws.heap.flow)
    chains = [field for field in laws.heap.fields if field in laws.heap.roles.beyond(field)]
    for predicate, variables, fields in (*pointers, ("dll", 1, 2), ("tree", 1, 2)):
        for names in itertools.permutations(laws.heap.variables, variables):
            types = {program.variables[name].target for name in names}
            for full in itertools.permutations(chains, fields):
                owners = {field.rpartition(".")[0] for field in full}
                if types == owners and len(types) == 1:
                    short = tuple(field.rpartition(".")[2] for field in full)
                    yield resolver.literal(ShapeLiteral(predicate, tuple(map(Var, names)), short)), list(full)
    for name in laws.heap.variables:
        for field in chains:
            if field.rpartition(".")[0] == program.variables[name].target:
                literal = ShapeLiteral("reach", (Var(name), NULL), (field.rpartition(".")[2],))
                yield resolver.literal(literal), [field]


def expected(heap: Heap, literal: ShapeLiteral, fields: list[str]) -> bool:
    values = [heap.variable(p.name) if isinstance(p, Var) else NOTHING for p in literal.pointers]
    decide: Callable[..., bool] = getattr(heap, literal.predicate)
    try:
        return JUNK not in values and decide(*values, *fields)
    except Unreadable:
        return False


@pytest.mark.exhaustive(5)
@pytest.mark.parametrize("name", PROGRAMS)
def test_shapes(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    laws = Laws(program_of(PROGRAMS[name], tmp_path_factory.mktemp(name)), MAY_LEAK)
    asked = [
        (literal, fields, formula)
        for literal, fields in literals(laws)
        if isinstance(literal, ShapeLiteral) and (formula := shape(laws.heap, literal)) is not None
    ]
    held = set[str]()
    for seed in range(6):
        walk = Walk(laws, seed)
        for _ in range(30):
            walk.go(2)
            heap = Heap(laws, walk.heap)
            for literal, fields, formula in asked:
                may, must = laws.value(walk.heap, formula)
                wanted = expected(heap, literal, fields)
                assert (may, must) == (wanted, wanted), literal
                if wanted:
                    held.add(literal.predicate)
    if name not in ("list", "rings", "doubly", "tree", "lists"):  # not every walk meets every shape
        return
    assert held >= {"acyclic", "cyclic", "reach", "disjoint", "all_reachable"}
    assert name != "doubly" or "dll" in held
    assert name != "tree" or "tree" in held
