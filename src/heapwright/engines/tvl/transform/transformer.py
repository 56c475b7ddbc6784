"""The abstract transformer of an action: one structure in, the structures after it and the messages out.

Refinement (inconsistent structures are dropped), precondition for each assignment of its free variables, messages, new
nodes, updates (which read the old values), removal of nodes, coerce (a violation here is an error of the specification
and reported), messages after the update, blur.

Refinement by meet does not run the constraints, and coerce after focus runs only those that read a changed value: the
results of either may be inconsistent. Before such a structure raises a message or is blamed for a violation after the
update, all constraints are applied to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from heapwright.base.immutable import Immutable
from heapwright.engines.kit.deadline import NO_LIMIT, Deadline
from heapwright.engines.tvl.constraints.coerce import Coercer
from heapwright.engines.tvl.focus.strategies import ByFormula, ByMeet, RefineKind, Refinement
from heapwright.engines.tvl.formulas.evaluation import MAY, Compiler, Evaluate, Request, readings
from heapwright.engines.tvl.structures.abstraction_cache import Abstraction
from heapwright.engines.tvl.structures.bit_sets import Layouts, bits
from heapwright.engines.tvl.structures.canonical_abstraction import aged
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind, loosened
from heapwright.engines.tvl.structures.structure import (
    ACTIVE,
    INSTANCE,
    NEW,
    SUMMARY,
    Draft,
    Signature,
    Structure,
    with_fresh,
)
from heapwright.engines.tvl.transform.absence_check import AbsenceCheck
from heapwright.engines.tvl.transform.derived_updates import defining, difference
from heapwright.logic.actions import Action, Message, Update
from heapwright.logic.formulas import free_variables
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary

if TYPE_CHECKING:
    from heapwright.engines.tvl.focus.refining_sets import RefiningSets


class Kernel(Immutable):
    """State shared by all transformers of an analysis."""

    vocabulary: Vocabulary
    signature: Signature
    layouts: Layouts
    compiler: Compiler
    coercer: Coercer
    abstraction: Abstraction
    derivable: Vocabulary | None = None  # by which updates of instrumentation predicates are derived
    embedding: EmbeddingKind = "strict"
    refining: RefiningSets | None = None  # refinement is by meet with them

    @staticmethod
    def build(
        vocabulary: Vocabulary,
        constraints: Sequence[Constraint],
        *,
        differencing: bool = True,
        added: Collection[str] = (),
        embedding: EmbeddingKind = "strict",
        refine: RefineKind = "formula",
        deadline: Deadline = NO_LIMIT,
    ) -> Kernel:
        signature, layouts = Signature(vocabulary), Layouts()
        compiler = Compiler(signature)
        loose, adaptive = embedding == "loose", embedding == "adaptive"
        coercer = Coercer(compiler, constraints, layouts, loose=loose, adaptive=adaptive, deadline=deadline)
        refining = None
        if refine == "meet":
            from heapwright.engines.tvl.focus.refining_sets import RefiningSets  # most analyses do without

            sharpening = Coercer(compiler, constraints, layouts, loose=True, deadline=deadline) if adaptive else coercer
            refining = RefiningSets.of_vocabulary(signature, compiler, sharpening, layouts)
        derivable = vocabulary if differencing else None
        if added and not differencing:
            derivable = defining(vocabulary, added)
        blurring = Abstraction(signature, optional=adaptive)
        return Kernel(vocabulary, signature, layouts, compiler, coercer, blurring, derivable, embedding, refining)

    @property
    def optional(self) -> bool:
        """Whether summary nodes may be absent."""
        return self.embedding != "strict"

    def refinement(self, action: Action) -> Refinement:
        if self.refining is not None:
            return ByMeet(self.refining, action)
        return ByFormula(self.signature, self.coercer, action, loose=self.optional)

    def abstracted(self, draft: Draft) -> Structure:
        """The abstraction of a draft: blurred, and loosened under loose embedding."""
        blurred = self.abstraction.blur(draft)
        return loosened(self.signature, blurred, self.layouts) if self.embedding == "loose" else blurred

    def settled(self, draft: Draft) -> list[Draft]:
        """A draft without and with each node that has a unique predicate if it is there at all: it is single then."""
        absent = (1 << draft.n) - 1 & ~draft.must[ACTIVE]
        for p in self.signature.unique if absent else ():
            found = absent & draft.must[p]
            if found:
                there, gone = draft.copy(), draft.copy()
                node = found.bit_length() - 1
                there.present(node)
                there.single(node)
                gone.remove(1 << node, self.signature)
                return [
                    each for case in (there, gone) if self.coercer.of(case).coerce(case) for each in self.settled(case)
                ]
        return [draft]


class Raised(Immutable):
    """A message that a structure raised; `definite` where its formula must hold."""

    text: str
    definite: bool


class Step(Immutable):
    """The result of an action on a structure. `raised` has an entry for each message of each focused structure."""

    results: tuple[Structure, ...]
    raised: tuple[Raised, ...] = ()
    breach: Constraint | None = None


class Transformer:
    def __init__(self, kernel: Kernel, action: Action) -> None:
        self.kernel = kernel
        self.action = action
        self.refinement = kernel.refinement(action)
        self.bound = tuple(sorted(free_variables(action.precondition))) if action.precondition is not None else ()
        updates = [u for u in action.updates if not u.derived]
        messages = list(action.messages)
        self.completed: list[tuple[int, Evaluate]] = []
        self.recomputed: list[tuple[int, Evaluate]] = []
        if kernel.derivable is not None:
            derived = difference(kernel.derivable, action)
            updates += derived.updates
            messages += derived.messages
            self.completed = [self._defined(predicate) for predicate in derived.completed]
            self.recomputed = [self._defined(predicate) for predicate in derived.recomputed]
        self.updates: list[Update] = [u for u in updates if u.formula is not None]
        self.changed = [kernel.signature.number[u.predicate] for u in self.updates]
        self.messages = tuple(messages)
        self.memo: dict[Structure, Step] = {}
        self._compile()

    def _compile(self) -> None:
        kernel, action = self.kernel, self.action
        compiler = kernel.compiler
        self.test: Evaluate | None = None
        if action.precondition is not None:
            axes = self.bound[-2:]
            self.test = compiler.function([Request(action.precondition, axes, MAY)], self.bound[:-2])
        # One function each, not one for all: formulas of the same form share theirs.
        self.update: list[tuple[int, Evaluate]] = []
        for update, number in zip(self.updates, self.changed, strict=True):
            assert update.formula is not None
            kernel.coercer.deadline.check()
            self.update.append((number, compiler.function(readings(update.formula, update.parameters), self.bound)))
        self.report = self._messages(self.messages, self.bound)
        self.report_after = self._messages(action.messages_after, ())
        self.retain: Evaluate | None = None
        if action.retain is not None:
            variable, formula = action.retain
            self.retain = compiler.function(readings(formula, (variable,)), self.bound)
        self.new: Evaluate | None = None
        if action.new is not None and action.new.formula is not None:
            self.new = compiler.function(readings(action.new.formula, (action.new.variable,)), self.bound)

    def _defined(self, predicate: Predicate) -> tuple[int, Evaluate]:
        """The number of an instrumentation predicate, and the function of its definition."""
        assert predicate.definition is not None
        function = self.kernel.compiler.function(readings(predicate.definition, predicate.parameters))
        return self.kernel.signature.number[predicate.name], function

    def _messages(self, messages: Sequence[Message], bound: tuple[str, ...]) -> Evaluate | None:
        if not messages:
            return None
        return self.kernel.compiler.function([r for m in messages for r in readings(m.formula, ())], bound)

    def apply(self, structure: Structure) -> Step:
        step = self.memo.get(structure)
        if step is None:
            step = self.memo[structure] = self._apply(structure)
        return step

    def _apply(self, structure: Structure) -> Step:
        results: list[Structure] = []
        raised: list[Raised] = []
        work = self._cases(self.refinement.apply(structure))
        while work:
            self.kernel.coercer.deadline.check()
            draft = work.pop()
            step = self._step(draft)
            if step.raised or step.breach is not None:
                settled = self._last_word(draft)
                if settled is not draft:
                    work += self._cases([settled] if settled is not None else [])
                    continue
            results += step.results
            raised += step.raised
            if step.breach is not None:
                return Step(tuple(results), tuple(raised), step.breach)
        return Step(tuple(results), tuple(raised))

    def _last_word(self, draft: Draft) -> Draft | None:
        """A draft sharpened by all constraints (itself, if they do not change it), None if it is inconsistent."""
        settled = draft.copy()
        if not self.kernel.coercer.of(settled).coerce_all(settled):
            return None
        same = (settled.n, settled.may, settled.must) == (draft.n, draft.may, draft.must)
        return draft if same else settled

    def _cases(self, drafts: list[Draft]) -> list[Draft]:
        """Drafts that are settled, the first one last."""
        if self.kernel.optional:
            drafts = [settled for draft in drafts for settled in self.kernel.settled(draft)]
        return drafts[::-1]

    def _step(self, draft: Draft) -> Step:
        """The result of the action on a refined structure."""
        results: list[Structure] = []
        raised: list[Raised] = []
        for nodes in self._assignments(draft):
            bound = self._bound(draft, nodes)
            if self.report is not None:
                values = self.report(bound.may, bound.must, self.kernel.layouts.of(bound.n), *nodes)
                collect(self.messages, values, raised, certain=bound is draft)
            after, breached = self._updated(bound, nodes)
            if breached is not None:
                # The update is wrong, or the structure is inconsistent: no message of it is definite.
                possible = [Raised(message.text, False) for message in raised]
                return Step(tuple(results), tuple(possible), breached)
            if self.report_after is not None:
                blurred = self.kernel.abstracted(after)
                layout = self.kernel.layouts.of(blurred.n)
                collect(self.action.messages_after, self.report_after(blurred.may, blurred.must, layout), raised)
            results.append(self.kernel.abstracted(aged(after)))
        return Step(tuple(results), tuple(raised))

    def _bound(self, draft: Draft, nodes: tuple[int, ...]) -> Draft:
        """A loose draft, given that nodes which may be absent are those of the precondition's variables."""
        if not self.kernel.optional or all(draft.must[ACTIVE] >> node & 1 for node in nodes):
            return draft
        bound = draft.copy()
        for node in nodes:
            bound.present(node)
        return bound

    def _assignments(self, draft: Draft) -> Iterator[tuple[int, ...]]:
        """The nodes of the precondition's free variables for which it may hold."""
        if self.test is None:
            yield ()
            return
        layout = self.kernel.layouts.of(draft.n)
        outer = self.bound[:-2]
        for index in range(draft.n ** len(outer)):
            self.kernel.coercer.deadline.check()
            nodes = tuple(index // draft.n**i % draft.n for i in range(len(outer)))
            (cells,) = self.test(draft.may, draft.must, layout, *nodes)
            if not self.bound:
                if cells:
                    yield ()
            elif len(self.bound) == 1:
                yield from ((u,) for u in bits(cells))
            else:
                yield from ((*nodes, *divmod(bit, draft.n)) for bit in bits(cells))

    def _updated(self, draft: Draft, nodes: tuple[int, ...]) -> tuple[Draft, Constraint | None]:
        """The structure after the update and coerce, and the constraint that it violates."""
        kernel = self.kernel
        after = draft.copy()
        origins = list(range(draft.n))
        if self.action.new is not None:
            origins += self._allocate(after, nodes)
        before_may, before_must = after.may.copy(), after.must.copy()
        layout = kernel.layouts.of(after.n)
        for predicate, update in self.update:
            after.may[predicate], after.must[predicate] = update(before_may, before_must, layout, *nodes)
        whole = self.action.new is not None
        if self.retain is not None:
            whole |= self._remove(draft, after, nodes, origins)
        layout = kernel.layouts.of(after.n)
        for predicate, definition in self.recomputed:
            after.may[predicate], after.must[predicate] = definition(after.may, after.must, layout)
            whole = True
        coercer = kernel.coercer.of(after)
        pending = coercer.everything
        if not whole:
            pending = coercer.affected(before_may, before_must, after, self.changed) | coercer.disturbed(draft)

        def possible(probe: Draft) -> bool:
            return nodes in self._assignments(probe)

        absent = AbsenceCheck(kernel.coercer, draft, origins, possible) if coercer.loose else None
        breached = coercer.run(after, pending, absent)
        return after, coercer.constraints[breached] if breached >= 0 else None

    def _allocate(self, draft: Draft, nodes: tuple[int, ...]) -> list[int]:
        """Makes new nodes; returns the nodes that they were made after, -1 for none."""
        signature, n = self.kernel.signature, draft.n
        new = self.action.new
        assert new is not None
        originals: list[int] = [-1]
        unsure = 0
        if self.new is not None:
            may, must = self.new(draft.may, draft.must, self.kernel.layouts.of(n), *nodes)
            originals = list(bits(may))
            unsure = may & ~must
        more = len(originals)
        for table in (draft.may, draft.must):
            for p in signature.binary:
                table[p] = with_fresh(table[p], n, more)
        m = draft.n = n + more
        fresh = ((1 << more) - 1) << n
        for p in (ACTIVE, NEW):
            draft.may[p] |= fresh
            draft.must[p] |= fresh
        for index, original in enumerate(originals):
            if original < 0:
                continue
            node = n + index
            draft.may[SUMMARY] |= (draft.may[SUMMARY] >> original & 1) << node
            if unsure >> original & 1 or not draft.must[ACTIVE] >> original & 1:
                draft.must[ACTIVE] &= ~(1 << node)
            for table in (draft.may, draft.must):
                table[INSTANCE] |= 1 << node * m + original
        if new.clone:
            self._clone(draft, originals, n)
        layout = self.kernel.layouts.of(m)
        for predicate, definition in self.completed:
            may, must = definition(draft.may, draft.must, layout)
            if signature.arity[predicate] == 2:
                old = layout.spread[(1 << n) - 1] * ((1 << n) - 1)
            else:
                old = (1 << n) - 1 if signature.arity[predicate] else 1
            draft.may[predicate] = draft.may[predicate] & old | may & ~old
            draft.must[predicate] = draft.must[predicate] & old | must & ~old
        return originals

    def _clone(self, draft: Draft, originals: list[int], n: int) -> None:
        signature, m = self.kernel.signature, draft.n
        for table in (draft.may, draft.must):
            for p in signature.unary:
                if p > INSTANCE:
                    for index, original in enumerate(originals):
                        table[p] |= (table[p] >> original & 1) << n + index
            for p in signature.binary:
                if p > INSTANCE:
                    for i, u in enumerate(originals):
                        for j, v in enumerate(originals):
                            table[p] |= (table[p] >> u * m + v & 1) << (n + i) * m + n + j

    def _remove(self, before: Draft, after: Draft, nodes: tuple[int, ...], origins: list[int]) -> bool:
        """Remove nodes that the action does not retain. The formula reads the structure before the update."""
        assert self.retain is not None
        full = (1 << before.n) - 1
        may, must = self.retain(before.may, before.must, self.kernel.layouts.of(before.n), *nodes)
        gone, unsure = full & ~may, may & ~must
        after.must[ACTIVE] &= ~unsure
        if not gone:
            return bool(unsure)
        after.remove(gone, self.kernel.signature)
        origins[:] = [origin for u, origin in enumerate(origins) if not gone >> u & 1]
        return True


def collect(messages: Sequence[Message], values: Sequence[int], raised: list[Raised], *, certain: bool = True) -> None:
    """Messages of one structure that may hold, each text once. They are definite only of nodes that are there for
    certain."""
    found: dict[str, bool] = {}
    for index, message in enumerate(messages):
        if values[2 * index]:
            found[message.text] = found.get(message.text, False) or (certain and bool(values[2 * index + 1]))
    raised.extend(Raised(text, definite) for text, definite in found.items())
