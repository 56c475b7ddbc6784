"""Results of the Python interface: immutable, typed, and drawn in notebooks.

A result is text in a terminal, and in a notebook the page of `heapwright check --html` in a frame that can do nothing
but run its own script.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

SCHEMA_VERSION = 1  # of `to_json`: fields are added, never removed or renamed
MOST_BYTES = 4_000_000  # of a page in a notebook


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """The verdict on one check: proved, violated, masked or unknown. `steps` are those of the run of a violation."""

    id: str
    kind: str
    verdict: str
    file: str
    line: int
    column: int
    function: str
    message: str
    engine: str
    reason: str
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of `check`. `verdict` is safe, unsafe or unknown; it holds under the `assumptions`."""

    verdict: str
    checks: tuple[CheckOutcome, ...]
    assumptions: tuple[str, ...]
    summary: str
    text: str
    json: dict[str, Any] = field(repr=False, compare=False)
    page: str = field(repr=False, compare=False)
    schema_version: int = SCHEMA_VERSION

    @property
    def violations(self) -> tuple[CheckOutcome, ...]:
        """The checks that a run breaks."""
        return tuple(check for check in self.checks if check.verdict == "violated")

    def to_json(self) -> dict[str, Any]:
        """The report, as `heapwright check --json` writes it."""
        return {**self.json, "schema_version": self.schema_version}

    def to_html(self) -> str:
        """The page with the films, as `heapwright check --html` writes it."""
        return self.page

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return framed(self.page, self.summary)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self._repr_html_()}


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A part of a precondition: in words, as a formula, and as a macro of heapwright.h, if there is one."""

    words: str
    formula: str
    macro: str | None


@dataclass(frozen=True, slots=True)
class InferResult:
    """The result of `infer`: a precondition under which a function is safe; `satisfiable` is False if it is false.
    `contract` are lines of C for the beginning of the function."""

    function: str
    conjuncts: tuple[Conjunct, ...]
    satisfiable: bool
    contract: tuple[str, ...]
    assumptions: tuple[str, ...]
    text: str
    json: dict[str, Any] = field(repr=False, compare=False)
    page: str = field(repr=False, compare=False)
    schema_version: int = SCHEMA_VERSION

    def to_json(self) -> dict[str, Any]:
        """The precondition, as `heapwright infer --json` writes it."""
        return {**self.json, "schema_version": self.schema_version}

    def to_html(self) -> str:
        """The page with failing inputs, as `heapwright infer --html` writes it."""
        return self.page

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return framed(self.page, self.text)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self._repr_html_()}


@dataclass(frozen=True, slots=True)
class LineHeaps:
    """The abstract heaps before a line, as SVG and as text."""

    file: str
    line: int
    column: int
    function: str
    svgs: tuple[str, ...] = field(repr=False)
    texts: tuple[str, ...]

    def _repr_html_(self) -> str:
        figures = "".join(f"<div>{svg}</div>" for svg in self.svgs)
        return f"<div><p>{escape(self.file)}:{self.line}</p>{figures}</div>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        plain = "\n".join((f"{self.file}:{self.line}", *self.texts))
        drawn = {"image/svg+xml": self.svgs[0]} if len(self.svgs) == 1 else {}
        return {"text/plain": plain, **drawn, "text/html": self._repr_html_()}


@dataclass(frozen=True, slots=True)
class ShowResult:
    """The result of `show`. `complete`: at each line a run has one of its heaps."""

    lines: tuple[LineHeaps, ...]
    complete: bool
    reason: str
    assumptions: tuple[str, ...]
    json: dict[str, Any] = field(repr=False, compare=False)
    page: str = field(repr=False, compare=False)
    schema_version: int = SCHEMA_VERSION

    def to_json(self) -> dict[str, Any]:
        """The heaps, as `heapwright show --json` writes them."""
        return {**self.json, "schema_version": self.schema_version}

    def to_html(self) -> str:
        """The page with the heaps, and which come from which."""
        return self.page

    def _repr_html_(self) -> str:
        return framed(self.page, self._summary)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self._summary, "text/html": self._repr_html_()}

    @property
    def _summary(self) -> str:
        return f"{len(self.lines)} places with abstract heaps"

    def heaps(self, *, line: int, file: str | None = None) -> tuple[LineHeaps, ...]:
        """The heaps of one line, of the first file unless another is named."""
        name = file if file is not None else self.lines[0].file if self.lines else ""
        return tuple(one for one in self.lines if (one.file, one.line) == (name, line))


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """An engine that `check` can use."""

    name: str
    options: tuple[str, ...]


def framed(page: str, summary: str) -> str:
    """A page in a frame that has no origin of its own; the summary alone, if the page is too large."""
    if len(page) > MOST_BYTES:
        return f"<p>{escape(summary)}</p><p>The page is too large to be shown here; write it with to_html().</p>"
    return f'<iframe sandbox="allow-scripts" width="100%" height="640" srcdoc="{escape(page)}"></iframe>'
