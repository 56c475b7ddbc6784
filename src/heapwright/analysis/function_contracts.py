"""The precondition of a library function, inferred and put at the start of its body: callers are assumed to keep it.

    contract = inferred_contract(source, deadline)      # None: nothing is needed, or nothing was found
    under(source, contract)                             # the same input, with `{ hw_assume(p != 0);` in its file

The columns behind the brace move, which `Contract.column` takes back, so that reports show the source as it is.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace

from heapwright.analysis.pipeline import Input, Snapshot, build
from heapwright.base.errors import HeapwrightError, LimitReached
from heapwright.c.options import HEADERS
from heapwright.engines.infer.api import Options, infer_precondition
from heapwright.program.graph import Assumption
from heapwright.result.precondition import Precondition

INCLUDED = ("-include", str(HEADERS / "heapwright.h"))


@dataclass(frozen=True, slots=True)
class Contract:
    """`claims` are C conditions that hold where the function begins; `words` is all of the precondition, also what C
    cannot say. The text goes behind the brace at `line` and `brace` (a column, from 1) of `file`."""

    function: str
    file: str
    line: int
    brace: int
    claims: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(f" hw_assume({claim});" for claim in self.claims)

    def column(self, file: str, line: int, column: int) -> int:
        """The column of the source, for one of the text with the contract."""
        if file != self.file or line != self.line or column <= self.brace:
            return column
        return max(self.brace, column - len(self.text))

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        return tuple(Assumption(f"'{self.function}' is called with {claim}") for claim in self.claims)


@dataclass(frozen=True, slots=True)
class ContractSearch:
    """`cut`: a limit ended the search, and more time may find a contract."""

    contract: Contract | None = None
    cut: bool = False


def inferred_contract(source: Input, deadline: float | None) -> ContractSearch:
    """The contract of `source.function`, a function that is defined in one of the files of a snapshot."""
    if source.function is None or source.snapshot is None:
        return ContractSearch()
    try:
        program = build(source, lambda text: None)
        found = infer_precondition(program, Options(), deadline=deadline)
    except LimitReached:
        return ContractSearch(cut=True)
    except (HeapwrightError, RecursionError):  # infer does not follow it, and engines may
        return ContractSearch(cut=deadline is not None and time.monotonic() >= deadline)
    return ContractSearch(_placed(source, source.snapshot, source.function, found))


def _placed(source: Input, snapshot: Snapshot, function: str, found: Precondition) -> Contract | None:
    """Where the contract goes: behind the opening brace, if that is in the file itself and no macro."""
    claims = tuple(claim for line in found.contract for claim in _claims(line))
    if found.impossible or not claims:
        return None
    words = tuple(conjunct.words for conjunct in found.conjuncts)
    for number, file in enumerate(source.files):
        declared = snapshot.parse(number, file).functions.get(function)
        if declared is None or declared.body is None or declared.body.span.file != file:
            continue
        place = declared.body.span
        lines = snapshot.contents[file].splitlines()
        if lines[place.line - 1][place.column - 1 : place.column] == b"{":
            return Contract(function, file, place.line, place.column, claims, words)
    return None


def _claims(line: str) -> list[str]:
    """The condition of a line of a contract; none of a comment.

    >>> _claims("hw_assume(p != 0);"), _claims("/* C has no expression for: n is even */")
    (['p != 0'], [])
    """
    return re.findall(r"^hw_assume\((.*)\);$", line)


def under(source: Input, contract: Contract) -> Input:
    """The input with the contract in its text."""
    snapshot = source.snapshot
    assert snapshot is not None
    lines = snapshot.contents[contract.file].splitlines(keepends=True)
    line = lines[contract.line - 1]
    lines[contract.line - 1] = line[: contract.brace] + contract.text.encode() + line[contract.brace :]
    options = tuple(
        replace(one, extra=(*one.extra, *INCLUDED)) if file == contract.file else one
        for file, one in zip(source.files, snapshot.options, strict=True)
    )
    contents = {**snapshot.contents, contract.file: b"".join(lines)}
    return replace(source, snapshot=replace(snapshot, options=options, contents=contents))
