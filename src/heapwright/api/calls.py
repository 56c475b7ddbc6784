"""The functions of the Python interface. They print nothing, change nothing global, and raise `HeapwrightError`.

An analysis runs in a process of its own that is started afresh: the caller may have threads, as a notebook has, and a
process with threads must not be forked.

    >>> import heapwright
    >>> [engine.name for engine in heapwright.list_engines()]
    ['boolheap', 'explore', 'fesa', 'lazy', 'recency', 'tvl']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING

from heapwright.api.helper import called
from heapwright.api.results import CheckResult, EngineFacts, InferResult, ShowResult

if TYPE_CHECKING:
    from heapwright.engines.api import OptionValue
    from heapwright.program.graph import Program
    from heapwright.program.trace import Run

Path = str | PathLike[str]


def check(
    *files: Path,
    function: str | None = None,
    engine: str = "auto",
    property: Sequence[str] = (),
    timeout: float | None = 300.0,
    memory: float | None = 4000.0,
    include: Sequence[Path] = (),
    define: Sequence[str] = (),
    malloc_may_fail: bool = False,
    options: Mapping[str, OptionValue] | None = None,
    progress: Callable[[str], None] | None = None,
) -> CheckResult:
    """Proves the checks of C files, or refutes them with a run: `heapwright check`. `options` are those of engines.
    `progress` is called with what is being done whenever that changes, and once a second: `progress=print`."""
    source = _source(files, function, include, define, malloc_may_fail)
    given = tuple(property), timeout, memory, dict(options or {})
    result: CheckResult = called("heapwright.api.work", "checked", source, engine, *given, progress=progress)
    return result


def show(
    *files: Path,
    function: str | None = None,
    engine: str = "tvl",
    timeout: float | None = 300.0,
    include: Sequence[Path] = (),
    define: Sequence[str] = (),
) -> ShowResult:
    """The abstract heaps at each line: `heapwright show`."""
    source = _source(files, function, include, define, False)
    result: ShowResult = called("heapwright.api.work", "shown", source, engine, timeout)
    return result


def infer(
    *files: Path,
    function: str,
    timeout: float | None = 300.0,
    include: Sequence[Path] = (),
    define: Sequence[str] = (),
    length: Mapping[str, str] | None = None,
    allow_cycles: bool = False,
) -> InferResult:
    """A precondition under which a function is safe: `heapwright infer`. `length` has the parameters that are lengths
    of arrays, by array."""
    source = _source(files, function, include, define, False)
    given = timeout, dict(length or {}), allow_cycles
    result: InferResult = called("heapwright.api.work", "inferred", source, *given)
    return result


def lower(
    *files: Path, function: str | None = None, include: Sequence[Path] = (), define: Sequence[str] = ()
) -> Program:
    """The lowered program: `heapwright lower`."""
    program: Program = called("heapwright.api.work", "lowered", _source(files, function, include, define, False))
    return program


def run(
    *files: Path,
    function: str | None = None,
    seed: int = 0,
    steps: int = 10_000,
    include: Sequence[Path] = (),
    define: Sequence[str] = (),
) -> Run:
    """One run with random choices: `heapwright run`. It has its `steps`, `ending` and `violation`."""
    source = _source(files, function, include, define, False)
    ended: Run = called("heapwright.api.work", "ran", source, seed, steps)
    return ended


def list_engines() -> tuple[EngineFacts, ...]:
    """The engines that `check` can use, with their options."""
    from heapwright.engines import ENGINES, declaration_of

    return tuple(
        EngineFacts(name, tuple(option.name for option in declaration_of(name).options)) for name in sorted(ENGINES)
    )


def _source(
    files: Sequence[Path],
    function: str | None,
    include: Sequence[Path],
    define: Sequence[str],
    malloc_may_fail: bool,
) -> dict[str, object]:
    """The arguments of `analysis.pipeline.Input`; the input itself is made in the other process."""
    return {
        "files": tuple(fspath(file) for file in files),
        "function": function,
        "include": tuple(fspath(folder) for folder in include),
        "define": tuple(define),
        "malloc_may_fail": malloc_may_fail,
    }
