"""Random walks of a program's actions over concrete heaps, each held against definitions and abstract transformers.

A walk starts with no objects and takes the commands of a program, a few in order and then others, so that every kind of
heap comes about that the updates themselves lead to: no family of predicates needs a generator of its own. After each
action
- what an instrumentation predicate's update says is what its definition says,
- all constraints hold,
- what a family calls reached is reached, leaks are reported, and behind them there is no garbage,
- the heap embeds in what the abstract transformer makes of the abstraction of the heap before, and messages that hold
  are raised.

    Walk(Laws(program_of(text, folder)), seed=3).go(steps=80)
"""

from __future__ import annotations

import random
from pathlib import Path

from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.encoding.actions.commands import Compiler
from heapwright.engines.tvl.encoding.predicate_names import FREED, HEAP
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary, Supply
from heapwright.engines.tvl.focus.strategies import RefineKind
from heapwright.engines.tvl.formulas.evaluation import Evaluate, readings
from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind
from heapwright.engines.tvl.structures.structure import ACTIVE, NEW, Draft, with_fresh, without_nodes
from heapwright.engines.tvl.transform.transformer import Kernel, Transformer
from heapwright.logic.actions import Action
from heapwright.logic.formulas import Formula
from heapwright.logic.vocabulary import Predicate
from heapwright.program.checks import Goal
from heapwright.program.commands import Free, New, Store
from heapwright.program.graph import Program

MOST_NODES = 5
ENDS = ("no garbage", "garbage")  # the alternatives at the end of an edge with a leak check
WEIGHTS = {Store: 6, New: 3, Free: 1}  # so that heaps get large and tangled


def program_of(text: str, folder: Path) -> Program:
    file = folder / "walked.c"
    file.write_text(text, encoding="utf-8")
    return lower([parse(str(file), ParseOptions())])


def together(chains: list[list[Action]]) -> list[list[list[Action]]]:
    """Chains with the alternatives of each step: those that differ in the last one are taken together."""
    found: dict[tuple[Action, ...], list[Action]] = {}
    for *first, last in chains:
        key = tuple(first) if last.title in ENDS or last.title == "perhaps no garbage" else (*first, last)
        found.setdefault(key, []).append(last)
    return [[*([one] for one in key if one is not ends[0]), ends] for key, ends in found.items()]


class Laws:
    """The actions of a program, and what must be true of each."""

    def __init__(
        self,
        program: Program,
        goal: Goal | None = None,
        *,
        embedding: EmbeddingKind = "strict",
        refine: RefineKind = "formula",
        supplied: Supply | None = None,
    ) -> None:
        self.heap = HeapVocabulary(program, supplied=supplied)
        vocabulary = self.heap.vocabulary
        self.added = frozenset(predicate.name for predicate in self.heap.added)
        rules = all_constraints(vocabulary, self.heap.constraints)
        self.kernel = Kernel.build(
            vocabulary, rules, differencing=False, added=self.added, embedding=embedding, refine=refine
        )
        self.signature = self.kernel.signature
        compiler = Compiler(self.heap, goal or Goal())
        self.beginning = compiler.beginning()
        steps = [
            (edge.command, chain)
            for edge in program.graph.edges
            for chain in (*together(compiler.actions(edge)), *together(compiler.circles(edge)))
        ]
        self.chains = [chain for _, chain in steps]
        self.weights = [WEIGHTS.get(type(command), 2) for command, _ in steps]
        self.defined = [predicate for predicate in vocabulary.predicates if predicate.definition is not None]
        self.core = [p for p in range(4, self.signature.size) if self.signature.predicates[p].definition is None]
        self.transformers: dict[Action, Transformer] = {}
        self.functions: dict[tuple[Formula, tuple[str, ...]], Evaluate] = {}
        self.reached = [formula for family in self.heap.families for formula in family.reached()]

    def transformer(self, action: Action) -> Transformer:
        if action not in self.transformers:
            self.transformers[action] = Transformer(self.kernel, action)
        return self.transformers[action]

    def value(self, draft: Draft, formula: Formula, axes: tuple[str, ...] = ()) -> tuple[int, int]:
        function = self.functions.get((formula, axes))
        if function is None:
            function = self.functions[formula, axes] = self.kernel.compiler.function(readings(formula, axes))
        may, must = function(draft.may, draft.must, self.kernel.layouts.of(draft.n))
        return may, must

    # --- one action -----------------------------------------------------------------------------------------------

    def goes_on(self, draft: Draft, action: Action, source: random.Random) -> bool:
        if action.precondition is None:
            return True
        may, must = self.value(draft, action.precondition)
        return bool(must) or (bool(may) and source.random() < 0.5)

    def after(self, heap: Draft, action: Action, source: random.Random) -> Draft | None:
        """The heap after an action. Values that the action leaves open are chosen; None if they fit nothing."""
        before = heap.copy()
        if action.new is not None:
            more = 1
            if action.new.formula is not None:
                more = self.value(heap, action.new.formula, (action.new.variable,))[1].bit_count()
            for table in (before.may, before.must):
                for p in self.signature.binary:
                    table[p] = with_fresh(table[p], before.n, more)
                for p in (ACTIVE, NEW):
                    table[p] |= (1 << more) - 1 << before.n
            before.n += more
        after = before.copy()
        for update in action.updates:
            assert update.formula is not None
            number = self.signature.number[update.predicate]
            after.may[number], after.must[number] = self.value(before, update.formula, update.parameters)
        for table in (after.may, after.must):
            table[NEW] = 0
        if action.retain is not None:
            variable, formula = action.retain
            kept = [*bits(self.value(heap, formula, (variable,))[0]), *range(heap.n, after.n)]
            for table in (after.may, after.must):
                for p in self.signature.unary:
                    table[p] = sum((table[p] >> u & 1) << i for i, u in enumerate(kept))
                for p in self.signature.binary:
                    table[p] = without_nodes(table[p], after.n, kept)
            after.n = len(kept)
        return self._decided(after, action, source)

    def _decided(self, after: Draft, action: Action, source: random.Random) -> Draft | None:
        open_ = [p for p in self.core if after.may[p] != after.must[p]]
        for p in open_:
            chosen = after.must[p]
            for cell in bits(after.may[p] & ~after.must[p]):
                chosen |= source.getrandbits(1) << cell
            after.may[p] = after.must[p] = chosen
        for predicate in self.defined:
            self._agrees(after, predicate, action, sharp=not open_)
        breached = self.kernel.coercer.run(after, self.kernel.coercer.everything)
        assert breached < 0 or open_, (action.title, self.kernel.coercer.constraints[breached])
        return after if breached < 0 else None

    def _agrees(self, after: Draft, predicate: Predicate, action: Action, *, sharp: bool) -> None:
        """A predicate has the values of its definition, where the update tells; afterwards it has them everywhere."""
        assert predicate.definition is not None
        number = self.signature.number[predicate.name]
        may, must = self.value(after, predicate.definition, predicate.parameters)
        assert may == must
        if predicate.name in self.added:  # transformers derive its updates, so that actions have none
            after.may[number] = after.must[number] = must
            return
        told = (after.may[number], after.must[number])
        assert not must & ~told[0], (action.title, predicate.name, "is missed")
        assert not told[1] & ~must, (action.title, predicate.name, "is claimed")
        assert not sharp or told == (must, must), (action.title, predicate.name, "is left open")
        after.may[number] = after.must[number] = must

    # --- laws of heaps and transformers ---------------------------------------------------------------------------

    def reachable(self, heap: Draft) -> int:
        found = frontier = 0
        for variable in self.heap.variables:
            frontier |= heap.may[self.signature.number[variable]]
        while frontier:
            found |= frontier
            following = 0
            for field in (*self.heap.fields, *self.heap.arrays):
                relation = heap.may[self.signature.number[field]]
                for node in bits(frontier):
                    following |= relation >> node * heap.n & (1 << heap.n) - 1
            frontier = following & ~found
        return found

    def check_reached(self, heap: Draft) -> None:
        found = self.reachable(heap)
        for formula in self.reached:
            assert not self.value(heap, formula, ("v",))[0] & ~found

    def garbage(self, heap: Draft) -> int:
        live = heap.may[self.signature.number[HEAP]] & ~heap.may[self.signature.number[FREED]]
        return live & ~self.reachable(heap)

    def check_leaks(self, heap: Draft, action: Action) -> None:
        """Where there is garbage, one action goes on and raises its messages; where there is none, the other."""
        found = bool(self.garbage(heap))
        assert action.precondition is not None
        assert self.value(heap, action.precondition) == ((action.title == "garbage") == found,) * 2
        for message in action.messages:
            assert self.value(heap, message.formula) == (found, found)

    def check_transformer(self, heap: Draft, action: Action, after: Draft) -> None:
        transformer = self.transformer(action)
        step = transformer.apply(self.kernel.abstracted(heap))
        assert step.breach is None, (action.title, step.breach)
        fits = any(embeds(self.signature, after, result) for result in step.results)
        assert fits, (action.title, "no abstract result stands for the heap")
        raised = {message.text for message in step.raised}
        for message in action.messages:
            may, must = self.value(heap, message.formula)
            unsure = message.text.endswith((":bounds", ":invalid-free")) or action.title.startswith("assert")
            assert not may or message.text in raised, (action.title, message.text)
            assert may == must or unsure  # data and indices that are not known


class Walk:
    def __init__(self, laws: Laws, seed: int) -> None:
        self.laws = laws
        self.random = random.Random(seed)
        self.haste = self.random.choice((0.05, 0.15, 0.4))  # how often the order of the program is left
        self.place = -1  # of the chain taken last
        self.heap = Draft.empty(laws.signature, 0)
        for predicate in laws.defined:
            number = laws.signature.number[predicate.name]
            assert predicate.definition is not None
            value = laws.value(self.heap, predicate.definition, predicate.parameters)
            self.heap.may[number], self.heap.must[number] = value
        begun = self._chain([[action] for action in laws.beginning])
        assert begun is not None
        self.heap = begun

    def go(self, steps: int) -> int:
        """Take chains of actions; returns how many could be taken to the end."""
        taken = 0
        for _ in range(steps):
            self.place = (self.place + 1) % len(self.laws.chains)
            if self.random.random() < self.haste:
                self.place = self.random.choices(range(len(self.laws.chains)), self.laws.weights)[0]
            after = self._chain(self.laws.chains[self.place])
            if after is not None:
                self.heap = after
                taken += 1
        return taken

    def _chain(self, chain: list[list[Action]]) -> Draft | None:
        heap = self.heap
        for alternatives in chain:
            for action in alternatives:
                if action.title in ENDS:
                    self.laws.check_leaks(heap, action)
            possible = [action for action in alternatives if self.laws.goes_on(heap, action, self.random)]
            if not possible:
                return None
            action = self.random.choice(possible)
            if action.new is not None and heap.n >= MOST_NODES:
                return None
            after = self.laws.after(heap, action, self.random)
            if after is None:
                return None
            self.laws.check_reached(after)
            assert action.title != "garbage" or not self.laws.garbage(after)
            self.laws.check_transformer(heap, action, after)
            heap = after
        return heap
