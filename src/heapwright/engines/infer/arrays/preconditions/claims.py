"""Claims of a precondition over an array, as formulas, in words and as C expressions where there are any.

>>> task_names = DisplayNames("a", None, ("mi",), ())
>>> Compared("=", Index(0), Index(ZERO)).text(task_names)
'mi = 0'
>>> Quantified(True, "≥", Index(ZERO, 1), Index(LENGTH), Term("cell", Index(ZERO))).text(task_names)
'∃j. 1 ≤ j < |a| ∧ a[j] ≥ a[0]'

| claim | meaning |
|---|---|
| `NullTest` | the array is null, or is not |
| `Compared` | two index inputs, constants or the length compare so |
| `Inside` | an index input is that of a cell |
| `Quantified` | some element, or every element, of a range compares so with a term |

A claim about an element out of bounds is false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heapwright.engines.infer.arrays.program_translation import Task
from heapwright.engines.infer.arrays.stores import LENGTH, ZERO, ArrayStore, Spot, Vocabulary, spots_of

LARGEST = 16  # maximum of constant positions in claims
OPERATORS = {"=": "==", "≠": "!=", "<": "<", "≤": "<=", ">": ">", "≥": ">="}
_WORDS = {"=": "is", "≠": "is not", "<": "is less than", "≤": "is at most", ">": "is greater than", "≥": "is at least"}


def compares(op: str, left: int, right: int) -> bool:
    match op:
        case "=":
            return left == right
        case "≠":
            return left != right
        case "<":
            return left < right
        case "≤":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


@dataclass(frozen=True, slots=True)
class DisplayNames:
    """Source names of the array, of the parameter that is its length, and of index and data inputs."""

    array: str
    length: str | None
    spots: tuple[str, ...]
    data: tuple[str, ...]


def display_names(task: Task) -> DisplayNames:
    vocabulary = task.vocabulary
    variables = task.program.variables
    return DisplayNames(
        task.shown(task.array),
        None if task.length is None else task.shown(task.length),
        tuple(variables[name].source_name if name in variables else "" for name, _ in vocabulary.spots),
        tuple(variables[name].source_name for name in vocabulary.data),
    )


@dataclass(frozen=True, slots=True)
class Index:
    """An index input, 0 or the length, plus a constant."""

    base: int
    offset: int = 0

    def value(self, store: ArrayStore) -> int:
        base = len(store.cells) if self.base == LENGTH else 0 if self.base == ZERO else store.spots[self.base]
        return base + self.offset

    def text(self, names: DisplayNames) -> str:
        if self.base == ZERO:
            return str(self.offset)
        base = f"|{names.array}|" if self.base == LENGTH else names.spots[self.base]
        if not self.offset:
            return base
        return f"{base} {'+' if self.offset > 0 else '-'} {abs(self.offset)}"

    def in_c(self, names: DisplayNames) -> str | None:
        if self.base == LENGTH:
            return names.length
        return self.text(names)


@dataclass(frozen=True, slots=True)
class Term:
    """A term to compare elements with: a `constant`, a data input (`data`), or the element at an index (`cell`)."""

    kind: str
    what: int | Index

    def value(self, store: ArrayStore) -> int | None:
        """None if there is no such element."""
        if isinstance(self.what, Index):
            at = self.what.value(store)
            return store.cells[at] if 0 <= at < len(store.cells) else None
        return self.what if self.kind == "constant" else store.data[self.what]

    def text(self, names: DisplayNames) -> str:
        if isinstance(self.what, Index):
            return f"{names.array}[{self.what.text(names)}]"
        return str(self.what) if self.kind == "constant" else names.data[self.what]


@dataclass(frozen=True, slots=True)
class NullTest:
    truth: bool

    def holds(self, store: ArrayStore) -> bool:
        return store.null != self.truth

    def text(self, names: DisplayNames) -> str:
        return f"{names.array} {'≠' if self.truth else '='} null"

    def words(self, names: DisplayNames) -> str:
        return f"{names.array} is {'not ' if self.truth else ''}null"

    def in_c(self, names: DisplayNames) -> str | None:
        return f"{names.array} {'!=' if self.truth else '=='} 0"


@dataclass(frozen=True, slots=True)
class Compared:
    op: str
    left: Index
    right: Index

    def holds(self, store: ArrayStore) -> bool:
        return compares(self.op, self.left.value(store), self.right.value(store))

    def text(self, names: DisplayNames) -> str:
        return f"{self.left.text(names)} {self.op} {self.right.text(names)}"

    def words(self, names: DisplayNames) -> str:
        if self == Compared("=", Index(LENGTH), Index(ZERO)):
            return f"{names.array} has no cells"
        sides = [
            f"the length of {names.array}" if side.base == LENGTH else side.text(names)
            for side in (self.left, self.right)
        ]
        return f"{sides[0]} {_WORDS[self.op]} {sides[1]}"

    def in_c(self, names: DisplayNames) -> str | None:
        left, right = self.left.in_c(names), self.right.in_c(names)
        return None if left is None or right is None else f"{left} {OPERATORS[self.op]} {right}"


@dataclass(frozen=True, slots=True)
class Inside:
    spot: int

    def holds(self, store: ArrayStore) -> bool:
        return 0 <= store.spots[self.spot] < len(store.cells)

    def text(self, names: DisplayNames) -> str:
        return f"0 ≤ {names.spots[self.spot]} < |{names.array}|"

    def words(self, names: DisplayNames) -> str:
        return f"{names.spots[self.spot]} is the index of a cell of {names.array}"

    def in_c(self, names: DisplayNames) -> str | None:
        name = names.spots[self.spot]
        return None if names.length is None else f"0 <= {name} && {name} < {names.length}"


@dataclass(frozen=True, slots=True)
class Quantified:
    """Some element (`some`), or every element, from `low` up to `high`."""

    some: bool
    op: str
    low: Index
    high: Index
    term: Term

    def holds(self, store: ArrayStore) -> bool:
        value = self.term.value(store)
        found = store.cells[max(self.low.value(store), 0) : max(self.high.value(store), 0)]
        if value is None:
            return False
        return (any if self.some else all)(compares(self.op, cell, value) for cell in found)

    def text(self, names: DisplayNames) -> str:
        mark, link = ("∃", "∧") if self.some else ("∀", "→")
        position = f"{self.low.text(names)} ≤ j < {self.high.text(names)}"
        return f"{mark}j. {position} {link} {names.array}[j] {self.op} {self.term.text(names)}"

    def words(self, names: DisplayNames) -> str:
        which = "some" if self.some else "every"
        where = ""
        if self.low != Index(ZERO):
            where += f" from index {self.low.text(names)}"
        if self.high != Index(LENGTH):
            where += f" before index {self.high.text(names)}"
        return f"{which} element of {names.array}{where} {_WORDS[self.op]} {self.term.text(names)}"

    def in_c(self, names: DisplayNames) -> str | None:
        return None


Claim = NullTest | Compared | Inside | Quantified
Clause = tuple[Claim, ...]
FALSE: Clause = ()


@dataclass(frozen=True, slots=True)
class ArrayClause:
    """A clause about one of the arrays of a function, by its number."""

    array: int
    clause: Clause

    def __len__(self) -> int:
        return len(self.clause)


def _used(task: Task) -> set[Spot]:
    return {spot for arc in task.arcs for spot in spots_of(arc.step)}


def largest(task: Task) -> int:
    """The largest constant position; longer arrays have to be tested."""
    return max((spot.offset for spot in _used(task) if spot.base == ZERO and spot.offset <= LARGEST), default=0)


def claims(task: Task) -> list[Claim]:
    """Every claim about the inputs of a function, simple ones first."""
    used = _used(task)
    positions = {0, 1} | {spot.offset for spot in used if spot.base == ZERO and 0 <= spot.offset <= LARGEST}
    offsets = {(spot.base, spot.offset) for spot in used if spot.base in task.spots and spot.offset}
    shifted = [Index(base, offset) for base, offset in sorted(offsets)]
    found = [
        *_index_claims(task.spots, sorted(positions), shifted),
        *_element_claims(task.vocabulary, task.spots, task.data),
    ]
    return list(dict.fromkeys(found))


def _index_claims(spots: Sequence[int], positions: Sequence[int], shifted: Sequence[Index]) -> Iterator[Claim]:
    """Claims about null, the length and index inputs."""
    zero, length = Index(ZERO), Index(LENGTH)
    yield NullTest(True)
    yield NullTest(False)
    yield Compared("=", length, zero)
    yield from (Compared(op, length, Index(ZERO, position)) for position in positions for op in (">", "≤"))
    for spot in spots:
        yield Inside(spot)
        yield from (Compared(op, Index(spot), zero) for op in ("=", "≤", "≥", "<", ">", "≠"))
        yield from (Compared(op, Index(spot), length) for op in ("=", "≤", "<", "≥", ">"))
        yield from (Compared(op, Index(spot), Index(ZERO, position)) for position in positions for op in OPERATORS)
    for moved in shifted:
        yield from (Compared(op, moved, length) for op in ("<", "≤", "=", "≥"))
        yield from (Compared(op, moved, zero) for op in ("≥", "<"))
    for i, one in enumerate(spots):
        yield from (Compared(op, Index(one), Index(two)) for two in spots[i + 1 :] for op in OPERATORS)


def _element_claims(vocabulary: Vocabulary, spots: Sequence[int], data: Sequence[int]) -> Iterator[Claim]:
    """Quantified claims: the elements of a range against a term."""
    zero, length = Index(ZERO), Index(LENGTH)
    terms = [Term("constant", value) for value in vocabulary.constants]
    terms += [Term("data", number) for number in data]
    terms += [Term("cell", zero), *(Term("cell", Index(spot)) for spot in spots)]
    ranges = [(zero, length), (Index(ZERO, 1), length)]
    ranges += [bounds for spot in spots for bounds in ((zero, Index(spot)), (Index(spot), length))]
    for low, high in ranges:
        for term in terms:
            for some in (True, False):
                yield from (Quantified(some, op, low, high, term) for op in OPERATORS)


# --- clauses ---------------------------------------------------------------------------------------------------------


def clause_text(clause: Clause, names: DisplayNames) -> str:
    texts = [claim.text(names) for claim in clause]
    return (
        " \N{LOGICAL OR} ".join(f"({text})" if "j." in text and len(texts) > 1 else text for text in texts) or "false"
    )


def clause_words(clause: Clause, names: DisplayNames) -> str:
    if not clause:
        return "false: no input was found to be safe"
    return ", or ".join(claim.words(names) for claim in clause)


def clause_in_c(clause: Clause, names: DisplayNames) -> str | None:
    parts = [claim.in_c(names) for claim in clause]
    known = [f"({part})" if " && " in part and len(parts) > 1 else part for part in parts if part is not None]
    return " || ".join(known) if known and len(known) == len(parts) else None
