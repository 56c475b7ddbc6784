"""Tables 1 and 2, next to the published figures, and the claims; those about figures are in `figures.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heapwright.reproduce.fesa.figures import figures
from heapwright.reproduce.fesa.measure import Measurement, measure
from heapwright.reproduce.fesa.published import TABLE_1, TABLE_2, Figures, PublishedRow, Tvla
from heapwright.reproduce.reproduction import Bounds, Claim, Reproduction, Table

NOTES = (
    "a projection of the paper turns clauses into cubes now and then; ours are counted each time flags are forgotten",
    "sizes are nodes of decision diagrams here, variables and clauses there",
    "only singly-linked-list is printed in the paper; the doubly linked one is our own text",
    "time is of the processor; there, an Intel Core i7 with 2.66 GHz and a Java implementation; our memory is by how "
    "much the process grew",
)
TRUE_ERROR = "deallocate-graph"
MORE_ITERATIONS = {"doubly-linked-list": 1, "deallocate-graph": 1}  # than published
WITHOUT = "summarize-tree"  # has no dereferences, hence no warnings


@dataclass(frozen=True, slots=True)
class Row:
    published: PublishedRow
    without: Measurement
    instrumented: Measurement


def reproduce(phase: Callable[[str], None], bounds: Bounds) -> Reproduction:
    rows = []
    for row in TABLE_1:
        without = measure(row.program, "fesa", {"instrumentation": False}, bounds, phase)
        rows.append(Row(row, without, measure(row.program, "fesa", {}, bounds, phase)))
    search = measure(TRUE_ERROR, "explore", {}, bounds, phase)
    beside = [(row, measure(row.program, "tvl", {}, bounds, phase)) for row in TABLE_2]
    return Reproduction(
        "fesa",
        "Tables 1 and 2 of Siegel and Simon 2012 (ours / published)",
        (table_1(rows), table_2(beside, rows)),
        (*claims(rows, search), *figures()),
        (*NOTES, *failures(rows), *(f"{row.program} under tvl: {m.failure}" for row, m in beside if m.failure)),
        [as_row(row) for row in rows],
    )


def table_1(rows: Sequence[Row]) -> Table:
    columns = ("program", "instr.", "projections", "size", "CPU ms", "MB", "loop iterations", "warnings")
    cells = []
    for row in rows:
        for mark, ours, theirs in (
            ("-", row.without, row.published.without),
            ("+", row.instrumented, row.published.instrumented),
        ):
            cells.append((row.published.program if mark == "-" else "", mark, *_figures(ours, theirs)))
    return Table(columns, tuple(cells), "Table 1")


def _figures(ours: Measurement, theirs: Figures) -> tuple[str, ...]:
    if ours.stats is None:
        return ("-",) * 6
    stats = ours.stats
    return (
        f"{stats['quantifications']} / {theirs.projections}",
        f"{stats['average_size']} / {theirs.size}",
        f"{ours.time_ms:.0f} / {theirs.time_ms}",
        f"{ours.memory_mb:.0f} / {theirs.memory_mb}",
        f"{stats['loop_iterations'] or '-'} / {theirs.iterations}",
        f"{len(ours.warnings)} / {theirs.warnings}",
    )


def table_2(beside: Sequence[tuple[Tvla, Measurement]], rows: Sequence[Row]) -> Table:
    fesa = {row.published.program: row.instrumented for row in rows}
    columns = (
        "program",
        "tvl CPU ms",
        "TVLA ms, paper",
        "fesa CPU ms",
        "tvl warnings",
        "TVLA warnings, paper",
        "fesa warnings",
    )
    cells = [
        (
            row.program,
            f"{ours.time_ms:.0f}" if ours.stats is not None else "stopped",
            str(row.time_ms),
            f"{fesa[row.program].time_ms:.0f}",
            str(len(ours.warnings)) if ours.stats is not None else "-",
            str(row.warnings),
            str(len(fesa[row.program].warnings)),
        )
        for row, ours in beside
    ]
    return Table(columns, tuple(cells), "Table 2")


def claims(rows: Sequence[Row], search: Measurement) -> list[Claim]:
    ended = [row.published.program for row in rows if row.without.failure or row.instrumented.failure]
    clean = [r.published.program for r in rows if r.published.program != TRUE_ERROR and r.instrumented.warnings]
    graph = next(row for row in rows if row.published.program == TRUE_ERROR).instrumented.warnings
    real = set(graph) <= set(search.violated)
    more = [
        row.published.program
        for row in rows
        if row.published.program != WITHOUT and len(row.without.warnings) <= len(row.instrumented.warnings)
    ]
    return [
        Claim("every analysis reached its fixpoint", not ended, ", ".join(ended)),
        Claim(f"no warning with instrumentation, but for {TRUE_ERROR}", not clean, ", ".join(clean)),
        Claim(
            f"one warning for {TRUE_ERROR}: a use after free, which a search shows to be real",
            len(graph) == 1 and graph[0].endswith("use-after-free") and real,
            ", ".join(graph),
        ),
        Claim(f"more warnings without instrumentation, but for {WITHOUT}", not more, ", ".join(more)),
        Claim(
            "no more warnings than published, with and without instrumentation: one for each place and kind of check",
            not (many := [row.published.program for row in rows if _exceeds(row)]),
            ", ".join(many),
        ),
        *(iterations(row) for row in rows if row.published.instrumented.iterations != "-"),
    ]


def _exceeds(row: Row) -> bool:
    pairs = ((row.without, row.published.without), (row.instrumented, row.published.instrumented))
    return any(len(ours.warnings) > theirs.warnings for ours, theirs in pairs)


def iterations(row: Row) -> Claim:
    """The iterations of the loops of a program with instrumentation, beside the published figures."""
    program, theirs = row.published.program, row.published.instrumented.iterations
    ours = str((row.instrumented.stats or {}).get("loop_iterations", "-"))
    more = MORE_ITERATIONS.get(program, 0)
    text = "no more iterations than published" if not more else f"at most {more} more iterations than published"
    holds = len(_numbers(ours)) == len(_numbers(theirs)) and all(
        one <= other + more for one, other in zip(_numbers(ours), _numbers(theirs), strict=True)
    )
    return Claim(f"{program}: {text}", holds, f"{ours} / {theirs}")


def _numbers(iterations: str) -> list[int]:
    return [int(one) for one in iterations.split("/") if one.isdigit()]


def failures(rows: Sequence[Row]) -> list[str]:
    runs = [(row.published.program, ours) for row in rows for ours in (row.without, row.instrumented)]
    return [f"{program}: {ours.failure}" for program, ours in runs if ours.failure]


def as_row(row: Row) -> Mapping[str, Any]:
    return {
        "program": row.published.program,
        "without": _measured(row.without),
        "instrumented": _measured(row.instrumented),
        "published": {"without": asdict(row.published.without), "instrumented": asdict(row.published.instrumented)},
    }


def _measured(ours: Measurement) -> dict[str, Any]:
    return {
        "time_ms": round(ours.time_ms, 1),
        "memory_mb": round(ours.memory_mb, 1),
        "warnings": list(ours.warnings),
        "stats": dict(ours.stats or {}),
        "failure": ours.failure,
    }
