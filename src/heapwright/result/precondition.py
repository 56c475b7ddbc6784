"""An inferred precondition as it is reported, and its test on small inputs."""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.program.heap_picture import HeapPicture


@dataclass(frozen=True, slots=True)
class Conjunct:
    """One conjunct of the precondition. `macro` is its C macro of heapwright.h, None if there is none; `needed` are the
    obligations that require it."""

    words: str
    formula: str
    macro: str | None
    needed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One obligation of the function. `structures` is the number of abstract inputs from which it may fail, `pictures`
    are failing inputs, `needs` the conjuncts that it requires. `untracked` is what the obligation depends on that is
    not tracked, if anything. `abstract` are pictures of the abstract inputs, where there are such."""

    place: str
    line: int
    kind: str
    text: str
    structures: int
    pictures: tuple[HeapPicture, ...]
    needs: tuple[str, ...]
    untracked: str
    abstract: tuple[HeapPicture, ...] = ()


@dataclass(frozen=True, slots=True)
class IntegerInput:
    """An integer input, and of how many of the inputs from which some runs fail none fails for some of its values."""

    name: str
    safe: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Precondition:
    """The precondition and its test on `heaps` inputs of up to `objects` objects each: `harmless` of them are safe, and
    `excluded` of these are excluded by the precondition; `missed` ones are allowed and fail, which refutes the
    analysis. `complete`: every run was executed to its end. From `varying` inputs some runs fail and others do not, as
    untracked values decide (integers): that no harmless one is excluded says nothing of these. `integers` does, value
    by value. `lost` are failing inputs that no abstract input describes, in functions over linked objects."""

    conjuncts: tuple[Conjunct, ...]
    contract: tuple[str, ...]
    requirements: tuple[Requirement, ...]
    assumptions: tuple[str, ...]
    heaps: int
    objects: int
    harmless: int
    excluded: int
    missed: int
    complete: bool
    impossible: bool
    stats: tuple[tuple[str, float | int], ...]
    given: str
    tested: tuple[str, str]  # the kind of inputs, and what these consist of
    varying: int = 0
    integers: tuple[IntegerInput, ...] = ()
    lost: int = 0
