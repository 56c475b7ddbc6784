"""One random function: its precondition against the runs from all small heaps, and its contract put into it.

    trial = tried("lists", text, Bounds())
    trial.finds

The interpreter runs the function from every heap of up to `objects` objects. Each failing heap must be described by an
abstract input of the obligation that fails, and excluded by the precondition. With the printed contract in its text the
function must need nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.base.errors import HeapwrightError, LimitReached, UnsupportedError
from heapwright.engines.infer.api import Options, inferred
from heapwright.fuzz.preconditions.functions import KINDS
from heapwright.fuzz.trial import Finding, lowered
from heapwright.result.precondition import Precondition

ALLOWED, LOST, MORE = "allowed and fails", "lost input", "contract is not enough"


@dataclass(frozen=True, slots=True)
class Bounds:
    """`visits` bound the backward analyses of a function, so that its answer is the same on every machine."""

    visits: int = 400
    objects: int = 3


@dataclass(frozen=True, slots=True)
class PreconditionTrial:
    """`refused`: why there is no precondition, or that the bound was `reached`. Of the `heaps` that were run, the
    precondition excludes `excluded` of the `safe` ones. `contracted`: whether the contract could be put in."""

    refused: str = ""
    reached: bool = False
    heaps: int = 0
    safe: int = 0
    excluded: int = 0
    impossible: bool = False
    contracted: bool = False
    finds: tuple[Finding, ...] = ()


class _Visits:
    """Ends an analysis after so many visits of locations."""

    def __init__(self, visits: int) -> None:
        self.left = visits

    def __call__(self, text: str) -> None:
        self.left -= 1
        if self.left < 0:
            raise LimitReached("the bound on visits was reached")


def tried(kind: str, text: str, bounds: Bounds) -> PreconditionTrial:
    try:
        found = _found(kind, text, bounds, bounds.objects)
    except UnsupportedError as error:
        return PreconditionTrial(refused=error.message)
    except LimitReached:
        return PreconditionTrial(reached=True)
    finds = [Finding(ALLOWED, "infer", f"{found.missed} heaps")] if found.missed else []
    finds += [Finding(LOST, "infer", f"{found.lost} heaps")] if found.lost else []
    contract = " ".join(found.contract)
    usable = bool(found.conjuncts) and not found.impossible and "/*" not in contract
    if usable:
        finds += _needed(kind, text.replace("{\n    ", "{\n    " + contract + "\n    ", 1), bounds)
    return PreconditionTrial(
        heaps=found.heaps,
        safe=found.harmless,
        excluded=found.excluded,
        impossible=found.impossible,
        contracted=usable,
        finds=tuple(finds),
    )


def _found(kind: str, text: str, bounds: Bounds, objects: int) -> Precondition:
    program = lowered(text, "f")
    options = Options(cycles=KINDS[kind].cycles)
    return inferred(program, options, tell=_Visits(bounds.visits)).judged(objects)


def _needed(kind: str, text: str, bounds: Bounds) -> list[Finding]:
    """What a function needs beyond its contract."""
    try:
        more = _found(kind, text, bounds, 1)
    except LimitReached:
        return []
    except HeapwrightError as error:
        return [Finding(MORE, "infer", error.message)]
    needed = [one.macro or one.words for one in more.conjuncts]
    return [Finding(MORE, "infer", " and ".join(needed))] if needed else []
