"""Materialisation strategies: two ways to make the formulas of an action definite before its updates.

`formula`: focus splits the structure until each focus formula is definite, coerce sharpens the results and
drops inconsistent ones (Sagiv, Reps and Wilhelm). `meet`: the structure is met with the refining sets of the
action, which were focused and coerced beforehand, and filters drop structures that surely violate a constraint (Arnold,
section 4). The results of either cover all heaps of the structure that satisfy the action's precondition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from heapwright.engines.tvl.constraints.coerce import Coercer
from heapwright.engines.tvl.focus.focus_cache import FocusCache
from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.structure import ACTIVE, Draft, Signature, Structure
from heapwright.logic.actions import Action

if TYPE_CHECKING:
    from heapwright.engines.tvl.focus.refining_sets import RefiningSet, RefiningSets

RefineKind = Literal["formula", "meet"]
REFINEMENTS: tuple[RefineKind, ...] = ("formula", "meet")


class Refinement(Protocol):
    def apply(self, structure: Structure) -> list[Draft]:
        """The refinement of a structure, not bounded. A draft may still violate a constraint."""


class ByFormula:
    def __init__(self, signature: Signature, coercer: Coercer, action: Action, *, loose: bool = False) -> None:
        self._focusing = None
        if action.focus:
            self._focusing = FocusCache(signature, action.focus, decides=not loose, deadline=coercer.deadline)
        self._coercer = coercer

    def apply(self, structure: Structure) -> list[Draft]:
        if self._focusing is None:
            return [structure.draft()]
        return [draft for draft in self._focusing.apply(structure) if self._coercer.of(draft).coerce(draft)]


class ByMeet:
    """The sets of an action are made when a structure comes that they would refine: most never do."""

    def __init__(self, refining: RefiningSets, action: Action) -> None:
        self._refining = refining
        self._action = action
        self._settled = [refining.definite(formula) for formula in action.focus]
        self._sets: Sequence[RefiningSet] | None = None
        self._signature = refining.signature
        self._layouts = refining.layouts

    def apply(self, structure: Structure) -> list[Draft]:
        drafts = [structure.draft()]
        for test in self._settled:
            if not test(drafts[0]):
                break
        else:
            return drafts
        if self._sets is None:
            self._sets = self._refining.for_action(self._action)
        for each in self._sets:
            drafts = [after for draft in drafts for after in each.meet(draft, self._layouts)]
        return [draft for draft in drafts if self._passes(draft)]

    def _passes(self, draft: Draft) -> bool:
        """Whether no filter rejects the draft because of a value that the meet has made definite. A maybe-active node
        with which a filter would reject the draft is inactive: it is removed."""
        asked = [each for each in self._refining.filters if each.reads & draft.touched]
        if any(each.catches(draft, self._layouts) for each in asked):
            return False
        absent = 0
        for node in bits(draft.may[ACTIVE] & ~draft.must[ACTIVE] if asked else 0):
            probe = draft.copy()
            probe.present(node)
            if any(each.catches(probe, self._layouts) for each in asked):
                absent |= 1 << node
        if absent:
            draft.remove(absent, self._signature)
        return True
