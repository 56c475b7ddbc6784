"""Shape predicates over input heaps: materialise the input cells that a predicate reads before evaluating it.

`hw_acyclic(x, next)` follows `next` from x to the end. While a cell on the path is undecided, actions that loop at the
location of the test initialise it; the test itself is evaluated only where no cell on the path is undecided. So the
lists that satisfy an assumption grow node by node, and the analysis terminates by canonical abstraction, as in any
loop:

    x -> u (undecided)   ==>   x -> u    x -> u -> v (undecided)    x -> u -> u ...
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.engines.tvl.encoding.actions.input_heaps import Inputs
from heapwright.engines.tvl.encoding.memory.resolved_commands import NOWHERE
from heapwright.engines.tvl.encoding.predicate_names import FRESH, KNOWN, OPEN, closure, reach_name, undecided
from heapwright.engines.tvl.encoding.predicates.heap_reachability import ALL, ReachAll
from heapwright.engines.tvl.encoding.predicates.offset_tags import all_of, any_of
from heapwright.logic.actions import Action
from heapwright.logic.formulas import FALSE, TRUE, And, Exists, Formula, Not, Or, atom
from heapwright.program.expressions import NULL, Literal, ShapeLiteral, Var

BRANCHES = {"tree": 2}  # predicates that follow several fields; the others follow their first one
ENDING = ("acyclic", "sorted", "sorted_down", "dll", "tree")  # predicates of finite lists and trees


class InputMaterialization(Inputs):
    # --- cells that a predicate reads ---------------------------------------------------------------------------------

    def followed(self, literal: Literal) -> tuple[str, ...]:
        """The cells that a predicate follows."""
        if not isinstance(literal, ShapeLiteral):
            return ()
        return tuple(dict.fromkeys(literal.fields[: BRANCHES.get(literal.predicate, 1)]))

    def is_blind(self, literal: Literal) -> bool:
        """Whether a predicate reads input cells that cannot be determined."""
        return self.heap.takes_inputs and isinstance(literal, ShapeLiteral) and NOWHERE in literal.fields

    def _on_the_way(self, literal: ShapeLiteral, node: str) -> Formula:
        """The predicate reads a node."""
        cells = [cell for cell in self.followed(literal) if cell in self.heap.fields]
        variables = [pointer.name for pointer in literal.pointers if isinstance(pointer, Var)]
        found: list[Formula] = []
        for variable in variables:
            named = reach_name(variable, cells[0] if len(cells) == 1 else ALL)
            told = len(cells) == 1 or any(set(cells) == set(one.fields) for one in self._along_several)
            if told and named in self.heap.vocabulary:
                found.append(atom(named, node))
            else:
                step = Or(tuple(atom(cell, "s", "t") for cell in cells))
                path = closure(step, "a", node) if cells else FALSE
                found.append(Exists(("a",), And((atom(variable, "a"), path))))
        return any_of(found)

    @property
    def _along_several(self) -> list[ReachAll]:
        return [family for family in self.heap.families if isinstance(family, ReachAll)]

    def undecided_at(self, literal: Literal) -> list[tuple[str, Formula]]:
        """Undecided cells that a predicate reads, each with a formula over v for its blocks."""
        if not isinstance(literal, ShapeLiteral):
            return []
        here = self._on_the_way(literal, "v")
        cells = [cell for cell in self.followed(literal) if cell in self.heap.inputs]
        found: list[tuple[str, Formula]] = [(cell, And((atom(undecided(cell), "v"), here))) for cell in cells]
        if literal.predicate == "dll" and literal.fields[1] in self.heap.inputs:
            forward, back = literal.fields
            led_to = Exists(("b",), And((atom(forward, "b", "v"), self._on_the_way(literal, "b"))))
            found.append((back, And((atom(undecided(back), "v"), led_to))))
        return found

    def is_decided(self, literal: Literal) -> Formula:
        """No cell that a predicate reads is undecided."""
        return Not(any_of([Exists(("v",), formula) for _, formula in self.undecided_at(literal)]))

    # --- steps ----------------------------------------------------------------------------------------------------

    def steps(self, title: str, literal: Literal, *, holds: bool) -> Iterator[list[Action]]:
        """Chains from the location of a test back to it. With `holds`, only values that the predicate allows matter.
        The order in which cells are decided does not, so those of one field all come before those of the next."""
        before: list[Formula] = []
        for cell, formula in self.undecided_at(literal):
            assert isinstance(literal, ShapeLiteral)
            open_ = all_of((formula, *(Not(other) for other in before)))
            before.append(Exists(("v",), formula))
            pick = self.picked(f"{title}: {cell}", OPEN, open_, self.heap.flow.pointers(OPEN))
            done = Action(title, updates=tuple(self.assigned(OPEN, NULL)))
            among = self._allowed_among(literal, cell) if holds else TRUE
            for decision in self.decisions(f"{title}: {cell}", OPEN, cell, None, among):
                for chain in self._allowed(decision, literal, cell) if holds else [decision]:
                    yield [*pick, *chain, done]

    def _allowed_among(self, literal: ShapeLiteral, cell: str) -> Formula:
        """The known blocks that a cell may point to: a finite list does not lead back to its own nodes."""
        ends = literal.predicate in ENDING and cell in self.followed(literal)
        return Not(self._on_the_way(literal, "v")) if ends else TRUE

    def _allowed(self, chain: list[Action], literal: ShapeLiteral, cell: str) -> Iterator[list[Action]]:
        """The values that a predicate may allow; the test itself decides."""
        *first, last = chain
        sources = [name for name in (FRESH, KNOWN) for action in first for u in action.updates if u.predicate == name]
        if literal.predicate == "dll" and sources:
            yield from self._answered(first, last, sources[0], literal, cell)
        elif literal.predicate != "dll" or cell != literal.fields[1]:
            yield chain

    def _answered(
        self, first: list[Action], last: Action, source: str, literal: ShapeLiteral, cell: str
    ) -> Iterator[list[Action]]:
        """Where the cell of a doubly linked list leads to an object, that object leads back."""
        back = literal.fields[1]
        if cell == back:
            if source == KNOWN:
                yield [*first, last]
            return
        updates = (*self.connected(source, back, Var(OPEN)), *self.settled(source, back))
        undecided_ = self.is_undecided(source, back)
        yield [*first, Action(last.title, (atom(source, "v"),), undecided_, updates=updates), last]
        if source == KNOWN:
            yield [*first, Action(last.title, (atom(source, "v"),), Not(undecided_)), last]
