"""Table 2: every program under both embeddings and with both ways of refining, next to the published figures, and the
claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heapwright.reproduce.arnold import figures
from heapwright.reproduce.arnold.measure import Measurement, measure
from heapwright.reproduce.arnold.published import TABLE, Figures, PublishedRow
from heapwright.reproduce.reproduction import Bounds, Claim, Reproduction, Table

PRINTED_TOPS = ("sll-loop", "sll-reverse", "dll-loop")  # the most structures at a location are exactly the paper's
DEFLATION = (45, 70)  # fewer structures under loose embedding, in per cent; the paper: 45 to 56
NEAR = 0.25  # of the paper's totals
NEARBY = 10  # locations: those of lowered C, and of a Java front end


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table, and its runs."""

    published: PublishedRow
    strict: Measurement
    loose: Measurement
    strict_meet: Measurement
    loose_meet: Measurement

    @property
    def runs(self) -> tuple[Measurement, ...]:
        return self.strict, self.loose, self.strict_meet, self.loose_meet

    @property
    def pairs(self) -> tuple[tuple[Measurement, Figures], ...]:
        """Runs with focus and coerce, and what the paper has of them."""
        return (self.strict, self.published.strict), (self.loose, self.published.loose)


def reproduce(phase: Callable[[str], None], bounds: Bounds) -> Reproduction:
    ways = [(embedding, refine) for refine in ("formula", "meet") for embedding in ("strict", "loose")]
    rows = [Row(row, *(measure(row.program, one, bounds, phase, way) for one, way in ways)) for row in TABLE]
    return Reproduction(
        "arnold",
        "Table 2 of Arnold 2006: structures under strict and loose embedding, relational join without structures that "
        "embed in others (ours / published)",
        (structures(rows), deflation(rows), times(rows), times_again(rows), memory(rows)),
        (*claims(rows), *figures.claims()),
        tuple(failures(rows)),
        [as_row(row) for row in rows],
    )


# --- tables ----------------------------------------------------------------------------------------------------------


def beside(ours: float | None, theirs: float, measured: Measurement, digits: int = 0) -> str:
    """`161 / 109`; a dash without a measurement."""
    return f"{shown(ours, measured, digits)} / {theirs:.{digits}f}"


def shown(ours: float | None, measured: Measurement, digits: int = 0) -> str:
    return "-" if measured.verdicts is None or ours is None else f"{ours:.{digits}f}"


def structures(rows: Sequence[Row]) -> Table:
    columns = ["program", "locations", "loops"]
    columns += [f"{kind} {what}" for kind in ("strict", "loose") for what in ("total", "average", "top")]
    found = []
    for row in rows:
        strict, published = row.strict, row.published
        cells = [published.program, beside(strict.locations, published.locations, strict)]
        cells.append(beside(strict.loops, published.loops, strict))
        for ours, theirs in row.pairs:
            cells += [
                beside(ours.total, theirs.total, ours),
                beside(ours.average, theirs.average, ours, 1),
                beside(ours.top, theirs.top, ours),
            ]
        found.append(tuple(cells))
    return Table(tuple(columns), tuple(found), "structures")


def less(before: float, after: float) -> float:
    """Reduction in per cent."""
    return 100 * (1 - after / before) if before else 0.0


def deflation(rows: Sequence[Row]) -> Table:
    found = []
    for row in rows:
        total, top = less(row.strict.total, row.loose.total), less(row.strict.top, row.loose.top)
        theirs, loose = row.published, row.loose
        their_total, their_top = (
            less(theirs.strict.total, theirs.loose.total),
            less(theirs.strict.top, theirs.loose.top),
        )
        found.append((theirs.program, beside(total, their_total, loose), beside(top, their_top, loose)))
    title = "fewer structures under loose embedding, in per cent (the paper: 45 to 55 in all, 46 to 58 at the top)"
    return Table(("program", "total", "top"), tuple(found), title)


def times(rows: Sequence[Row]) -> Table:
    columns = ["program"]
    columns += [f"{kind} {what}" for kind in ("strict", "loose") for what in ("ms", "meet ms", "refinement ms")]
    found = []
    for row in rows:
        cells = [row.published.program]
        for (ours, theirs), met in zip(row.pairs, (row.strict_meet, row.loose_meet), strict=True):
            refinement = beside(ours.refinement_ms, theirs.refinement_ms, ours)
            cells += [shown(ours.time_ms, ours), beside(met.time_ms, theirs.time_ms, met), refinement]
        found.append(tuple(cells))
    title = (
        "time of the processor: focus and coerce, meet / the paper's, whose analyser refines by meet and is for lists "
        "alone, on a 1.6 GHz Pentium-M"
    )
    return Table(tuple(columns), tuple(found), title)


def times_again(rows: Sequence[Row]) -> Table:
    columns = ["program", "strict ms", "strict meet ms", "loose ms", "loose meet ms"]
    found = []
    for row in rows:
        theirs = row.published
        cells = [beside(ours.again_ms, printed.time_ms, ours) for printed, pair in _by_embedding(row) for ours in pair]
        found.append((theirs.program, *cells))
    title = "the same of a second analysis in a process, which has compiled formulas and refining sets / the paper's"
    return Table(tuple(columns), tuple(found), title)


def _by_embedding(row: Row) -> tuple[tuple[Figures, tuple[Measurement, Measurement]], ...]:
    published = row.published
    return (published.strict, (row.strict, row.strict_meet)), (published.loose, (row.loose, row.loose_meet))


def memory(rows: Sequence[Row]) -> Table:
    found = [
        (row.published.program, *(beside(ours.memory_kb, theirs.memory_kb, ours) for ours, theirs in row.pairs))
        for row in rows
    ]
    return Table(("program", "strict kB", "loose kB"), tuple(found), "memory: by how much the process grew")


# --- claims ----------------------------------------------------------------------------------------------------------


def claims(rows: Sequence[Row]) -> list[Claim]:
    low, high = DEFLATION
    tests: list[tuple[str, Callable[[Row], bool]]] = [
        ("the programs have as many loops as the paper's", lambda row: row.strict.loops == row.published.loops),
        (f"and as many locations, within {NEARBY}", _like_the_paper),
        ("every check is proved under strict embedding", lambda row: row.strict.proved and row.strict_meet.proved),
        ("every check is proved under loose embedding", lambda row: row.loose.proved and row.loose_meet.proved),
        ("the verdicts are the same in all runs", lambda row: all(r.verdicts == row.strict.verdicts for r in row.runs)),
        (f"there are {low} to {high} per cent fewer structures under loose embedding", _deflated),
        ("as many structures as the paper has, within a quarter", _near),
        ("meet keeps the structures that focus and coerce keep", _as_precise),
    ]
    found = [_claim(text, [row.published.program for row in rows if not test(row)]) for text, test in tests]
    tops = [row for row in rows if row.published.program in PRINTED_TOPS]
    apart = [row.published.program for row in tops if any(ours.top != theirs.top for ours, theirs in row.pairs)]
    named = ", ".join(PRINTED_TOPS)
    return [*found, _claim(f"the most structures at a location are the paper's: {named}", apart)]


def _like_the_paper(row: Row) -> bool:
    return abs(row.strict.locations - row.published.locations) <= NEARBY


def _deflated(row: Row) -> bool:
    low, high = DEFLATION
    measured = row.strict.verdicts is not None and row.loose.verdicts is not None
    return measured and low <= round(less(row.strict.total, row.loose.total)) <= high


def _near(row: Row) -> bool:
    return all(abs(ours.total - theirs.total) <= NEAR * theirs.total for ours, theirs in row.pairs)


def _as_precise(row: Row) -> bool:
    return all(
        met.verdicts is not None and (met.total, met.top) == (ours.total, ours.top)
        for ours, met in ((row.strict, row.strict_meet), (row.loose, row.loose_meet))
    )


def _claim(text: str, failing: Sequence[str]) -> Claim:
    return Claim(text, not failing, f"not for {', '.join(failing)}" if failing else "")


def failures(rows: Sequence[Row]) -> Iterator[str]:
    """Reasons of failed runs, without duplicates."""
    reasons: dict[str, list[str]] = {}
    for one in (run for row in rows for run in row.runs):
        if one.failure:
            reasons.setdefault(one.failure, []).append(f"{one.program} ({one.embedding}, {one.refine})")
    return (f"{', '.join(runs)}: {reason}" for reason, runs in reasons.items())


# --- as data ---------------------------------------------------------------------------------------------------------


def as_row(row: Row) -> dict[str, Any]:
    published = row.published
    return {
        "program": published.program,
        "locations": row.strict.locations,
        "loops": row.strict.loops,
        "strict": _measured(row.strict),
        "loose": _measured(row.loose),
        "strict_meet": _measured(row.strict_meet),
        "loose_meet": _measured(row.loose_meet),
        "published": {
            "locations": published.locations,
            "loops": published.loops,
            "strict": _published(published.strict),
            "loose": _published(published.loose),
        },
    }


def _measured(measured: Measurement) -> Mapping[str, Any] | None:
    if measured.verdicts is None:
        return None
    refinement = measured.refinement_ms
    return {
        "total": measured.total,
        "average": round(measured.average, 2),
        "top": measured.top,
        "time_ms": round(measured.time_ms, 1),
        "again_ms": None if measured.again_ms is None else round(measured.again_ms, 1),
        "refinement_ms": None if refinement is None else round(refinement, 1),
        "memory_kb": round(measured.memory_kb),
        "proved": sum(verdict == "proved" for verdict in measured.verdicts.values()),
        "checks": len(measured.verdicts),
        "failure": measured.failure,
    }


def _published(figures: Figures) -> Mapping[str, float]:
    return {
        "total": figures.total,
        "average": figures.average,
        "top": figures.top,
        "time_ms": figures.time_ms,
        "refinement_ms": figures.refinement_ms,
        "memory_kb": figures.memory_kb,
    }
