"""Refining sets: the structures with which others are met to make an action's formulas definite (Arnold, section 4).

A set is made once per vocabulary and focus formula, for all analyses of a process. It begins with the most general
structures (no node at all; one summary node with all values 1/2), which focus and coerce split and sharpen. The results
are small: the nodes that the formula refers to, and a node for all others. Every heap that keeps the constraints embeds
in a member, because focus and coerce lose none.

An action with several formulas has several sets, met one after the other, so that their sizes add up and do not
multiply. Members of which the action's precondition cannot hold are left out. A member comes with stages: pairs of
structures with its nodes, alike but for one value of one predicate and what coerce makes of that. Definite values of
instrumentation predicates thus sharpen the arrows of the nodes that the meet materialised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from heapwright.engines.tvl.constraints.coerce import Coercer
from heapwright.engines.tvl.constraints.structure_filters import Filter, filters
from heapwright.engines.tvl.focus.focus import Focus
from heapwright.engines.tvl.focus.refining_set_members import Variant
from heapwright.engines.tvl.formulas.dependencies import predicates_of
from heapwright.engines.tvl.formulas.evaluation import MAY, MUST, Compiler, Request
from heapwright.engines.tvl.structures.bit_sets import Layouts, bits
from heapwright.engines.tvl.structures.embedding import embeds, maximal
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure
from heapwright.engines.tvl.structures.structure_patterns import Groups, Pattern, met, nothing_known
from heapwright.logic.actions import Action
from heapwright.logic.formulas import Exists, Formula, free_variables


class Member:
    """A structure of a refining set."""

    def __init__(self, signature: Signature, coercer: Coercer, structure: Structure) -> None:
        self.structure = structure
        self.pattern = Pattern(signature, structure)
        self._signature = signature
        self._coercer = coercer
        self._variants: dict[tuple[int, int], Variant] = {}

    def meet(self, structure: Draft, layouts: Layouts) -> Iterable[Draft]:
        """The meet with this member and, in turn, with the sets of its stages."""

        def impose(draft: Draft, groups: Groups, fresh: int) -> int:
            present = certain = taken = bit = 0
            for v, group in enumerate(groups):
                if group:
                    present |= 1 << v
                    taken |= (fresh >> v & 1) << bit
                    bit += 1
                    if group & draft.must[ACTIVE]:
                        certain |= 1 << v
            variant = self.variant(present, certain)
            here = [group for group in groups if group]
            return variant.impose(draft, here, taken, layouts) if variant.possible else -1

        return met(self.pattern, self._signature, structure, impose)

    def variant(self, present: int, certain: int) -> Variant:
        """The member with some nodes only, of which some are there for certain."""
        key = present, certain
        if key not in self._variants:
            self._variants[key] = Variant(self._signature, self._coercer, self.structure, present, certain)
        return self._variants[key]


Test = Callable[[Draft], bool]


@dataclass(frozen=True, slots=True)
class RefiningSet:
    """`settled`: tests of a structure, all of which hold if the set would not refine it."""

    members: tuple[Member, ...]
    settled: tuple[Test, ...]

    def meet(self, structure: Draft, layouts: Layouts) -> Iterable[Draft]:
        if all(test(structure) for test in self.settled):
            return [structure]
        return [after for member in self.members for after in member.meet(structure, layouts)]


MOST_KEPT = 8  # vocabularies, of the last analyses


class RefiningSets:
    """The refining sets of a vocabulary, made on demand."""

    kept: ClassVar[dict[object, RefiningSets]] = {}  # of earlier analyses, by their constraints

    @staticmethod
    def of_vocabulary(signature: Signature, compiler: Compiler, coercer: Coercer, layouts: Layouts) -> RefiningSets:
        """Those of an earlier analysis in the process with the same predicates and constraints, or new ones."""
        kept = RefiningSets.kept
        found = kept.get(coercer.identity)
        if found is None or found.signature.predicates != signature.predicates:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            found = kept[coercer.identity] = RefiningSets(signature, compiler, coercer, layouts)
        found.coercer.deadline = coercer.deadline
        return found

    def __init__(self, signature: Signature, compiler: Compiler, coercer: Coercer, layouts: Layouts) -> None:
        self.signature = signature
        self.compiler = compiler
        self.coercer = coercer
        self.layouts = layouts
        self._sets: dict[Formula, tuple[Member, ...]] = {}
        self._tests: dict[Formula, Test] = {}

    @cached_property
    def filters(self) -> list[Filter]:
        return filters(self.signature, self.coercer)

    @cached_property
    def _general(self) -> list[Draft]:
        return [draft for draft in most_general(self.signature) if self.coercer.coerce_all(draft)]

    def of(self, formula: Formula) -> tuple[Member, ...]:
        """The set of a focus formula; every heap that keeps the constraints embeds in a member."""
        found = self._sets.get(formula)
        if found is None:
            structures = refined(self.signature, self.coercer, formula, self._general)
            found = tuple(Member(self.signature, self.coercer, structure) for structure in structures)
            self._sets[formula] = found
        return found

    def for_action(self, action: Action) -> tuple[RefiningSet, ...]:
        """The sets of an action, in the order of its formulas, without redundant ones."""
        sets = [
            RefiningSet(self._fulfilling(self.of(formula), action.precondition), (self.definite(formula),))
            for formula in action.focus
        ]
        index = 0
        while index < len(sets):
            one = sets[index]
            finer = next((i for i, s in enumerate(sets) if i != index and self._below(s.members, one.members)), None)
            if finer is None:
                index += 1
                continue
            sets[finer] = RefiningSet(sets[finer].members, sets[finer].settled + one.settled)
            del sets[index]
        return tuple(sets)

    def definite(self, formula: Formula) -> Test:
        """Is a formula definite in a structure, with all that it says of single nodes? Then meeting it with the
        formula's set would not refine it."""
        test = self._tests.get(formula)
        if test is None:
            test = self._tests[formula] = self._definite(formula)
        return test

    def _definite(self, formula: Formula) -> Test:
        variables = tuple(sorted(free_variables(formula)))
        if len(variables) > 2:
            return lambda draft: False
        values = self.compiler.function([Request(formula, variables, MAY), Request(formula, variables, MUST)])
        names = [self.signature.number[name] for name in sorted(predicates_of(formula))]
        pointers = [p for p in names if self.signature.arity[p] < 2]

        def test(draft: Draft) -> bool:
            may, must = draft.may, draft.must
            maybe_active = may[ACTIVE] & ~must[ACTIVE]
            if maybe_active and len(variables) > 1:
                return False
            for p in pointers:
                if may[p] != must[p] or may[p] & maybe_active:
                    return False
            may, must = values(may, must, self.layouts.of(draft.n))
            return bool(may == must and not (variables and may & maybe_active))

        return test

    def _fulfilling(self, members: Sequence[Member], precondition: Formula | None) -> tuple[Member, ...]:
        if precondition is None:
            return tuple(members)
        bound = tuple(sorted(free_variables(precondition)))
        test = self.compiler.function([Request(Exists(bound, precondition) if bound else precondition, (), MAY)])

        def may_hold(structure: Structure) -> bool:
            (value,) = test(structure.may, structure.must, self.layouts.of(structure.n))
            return bool(value)

        return tuple(member for member in members if may_hold(member.structure))

    def _below(self, lower: Iterable[Member], upper: Sequence[Member]) -> bool:
        return all(any(embeds(self.signature, one.structure, other.structure) for other in upper) for one in lower)


def most_general(signature: Signature) -> list[Draft]:
    """Structures that together denote all heaps: one without nodes, and one with a node with all values 1/2."""
    one = Draft.empty(signature, 1)
    one.may[SUMMARY] = 1
    return [nothing_known(signature, draft.freeze()) for draft in (Draft.empty(signature, 0), one)]


def refined(signature: Signature, coercer: Coercer, formula: Formula, drafts: Sequence[Draft]) -> list[Structure]:
    """Structures, split until a formula is definite in each, and sharpened."""
    focused = Focus(signature, formula, deadline=coercer.deadline).apply([draft.copy() for draft in drafts])
    kept = [draft.freeze() for draft in focused if coercer.coerce_all(draft)]
    return maximal(signature, [optional(signature, coercer, structure, kept) for structure in kept])


def optional(signature: Signature, coercer: Coercer, structure: Structure, others: Sequence[Structure]) -> Structure:
    """The structure, in which a summary node is maybe-active if the set covers that case anyway."""
    for node in bits(structure.may[SUMMARY] & structure.must[ACTIVE]):
        without = structure.draft()
        without.remove(1 << node, signature)
        if not coercer.coerce_all(without) or any(embeds(signature, without, other) for other in others):
            draft = structure.draft()
            draft.must[ACTIVE] &= ~(1 << node)
            structure = draft.freeze()
    return structure
