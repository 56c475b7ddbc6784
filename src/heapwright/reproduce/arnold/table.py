"""Table 2: every program under both embeddings, next to the published figures, and the claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heapwright.reproduce.arnold.measure import Measured, measure
from heapwright.reproduce.arnold.published import TABLE, Figures, Published
from heapwright.reproduce.reproduction import Bounds, Claim, Reproduction, Table

Pair = tuple[Published, Measured, Measured]  # published, strict, loose
NOTES = (
    "locations are those of our lowered C; the paper's are those of a Java front end. Averages and tops compare better "
    "than totals",
    "our texts carry the names of the paper's programs; only dll-loop is printed there",
    "no location keeps a structure that embeds in another one, as the paper defines its domain; --join rel would keep "
    "them, which adds structures under strict embedding only",
    "C needs more of a structure than Java does, such as whether an object was freed and whether a pointer is "
    "uninitialised, so that one structure of the paper may be several of ours",
    "the paper's time and memory are those of an analyser for lists alone on a 1.6 GHz Pentium-M; our memory is by how "
    "much the process grew during the analysis",
    "refinement is focus and coerce here, meet with prepared structures there; its share is sampled",
)


def reproduce(phase: Callable[[str], None], bounds: Bounds) -> Reproduction:
    pairs: list[Pair] = []
    for row in TABLE:
        strict = measure(row.program, "strict", bounds, phase)
        pairs.append((row, strict, measure(row.program, "loose", bounds, phase)))
    return Reproduction(
        "arnold",
        "Table 2 of Arnold 2006: structures under strict and loose embedding, relational join without structures that "
        "embed in others (ours / published)",
        (structures(pairs), deflation(pairs), costs(pairs)),
        tuple(claims(pairs)),
        (*NOTES, *failures(pairs)),
        [as_row(pair) for pair in pairs],
    )


# --- tables ----------------------------------------------------------------------------------------------------------


def beside(ours: float | None, theirs: float, measured: Measured, digits: int = 0) -> str:
    """`161 / 109`; a dash without a measurement."""
    shown = "-" if measured.verdicts is None or ours is None else f"{ours:.{digits}f}"
    return f"{shown} / {theirs:.{digits}f}"


def structures(pairs: Sequence[Pair]) -> Table:
    columns = ["program", "locations", "loops"]
    columns += [f"{kind} {what}" for kind in ("strict", "loose") for what in ("total", "average", "top")]
    rows = []
    for row, strict, loose in pairs:
        cells = [row.program, beside(strict.locations, row.locations, strict), beside(strict.loops, row.loops, strict)]
        for ours, theirs in ((strict, row.strict), (loose, row.loose)):
            cells += [
                beside(ours.total, theirs.total, ours),
                beside(ours.average, theirs.average, ours, 1),
                beside(ours.top, theirs.top, ours),
            ]
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows), "structures")


def less(before: float, after: float) -> float:
    """Reduction in per cent."""
    return 100 * (1 - after / before) if before else 0.0


def deflation(pairs: Sequence[Pair]) -> Table:
    rows = []
    for row, strict, loose in pairs:
        total, top = less(strict.total, loose.total), less(strict.top, loose.top)
        their_total, their_top = less(row.strict.total, row.loose.total), less(row.strict.top, row.loose.top)
        rows.append((row.program, beside(total, their_total, loose), beside(top, their_top, loose)))
    title = "fewer structures under loose embedding, in per cent (the paper: 45 to 55 in all, 46 to 58 at the top)"
    return Table(("program", "total", "top"), tuple(rows), title)


def costs(pairs: Sequence[Pair]) -> Table:
    columns = ["program"]
    columns += [f"{kind} {what}" for kind in ("strict", "loose") for what in ("ms", "refinement ms", "kB")]
    rows = []
    for row, strict, loose in pairs:
        cells = [row.program]
        for ours, theirs in ((strict, row.strict), (loose, row.loose)):
            cells += [
                beside(ours.time_ms, theirs.time_ms, ours),
                beside(ours.refinement_ms, theirs.refinement_ms, ours),
                beside(ours.memory_kb, theirs.memory_kb, ours),
            ]
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows), "time and memory")


# --- claims ----------------------------------------------------------------------------------------------------------


def claims(pairs: Sequence[Pair]) -> list[Claim]:
    loops = [row.program for row, strict, _ in pairs if strict.loops != row.loops]
    strict = [row.program for row, strict, _ in pairs if not strict.proved]
    loose = [row.program for row, _, loose in pairs if not loose.proved]
    differ = [row.program for row, strict, loose in pairs if strict.verdicts != loose.verdicts]
    fewer = [row.program for row, strict, loose in pairs if not _fewer(strict, loose)]
    return [
        _claim("the programs have as many loops as the paper's", loops),
        _claim("every check is proved under strict embedding", strict),
        _claim("every check is proved under loose embedding", loose),
        _claim("the verdicts are the same under both", differ),
        _claim("there are fewer structures under loose embedding", fewer),
    ]


def _fewer(strict: Measured, loose: Measured) -> bool:
    return strict.verdicts is not None and loose.verdicts is not None and loose.total < strict.total


def _claim(text: str, failing: Sequence[str]) -> Claim:
    return Claim(text, not failing, f"not for {', '.join(failing)}" if failing else "")


def failures(pairs: Sequence[Pair]) -> list[str]:
    """Reasons of failed runs, without duplicates."""
    reasons: dict[str, list[str]] = {}
    for _, *measured in pairs:
        for one in measured:
            if one.failure:
                reasons.setdefault(one.failure, []).append(f"{one.program} ({one.embedding})")
    return [f"{', '.join(runs)}: {reason}" for reason, runs in reasons.items()]


# --- as data ---------------------------------------------------------------------------------------------------------


def as_row(pair: Pair) -> dict[str, Any]:
    row, strict, loose = pair
    return {
        "program": row.program,
        "locations": strict.locations,
        "loops": strict.loops,
        "strict": _measured(strict),
        "loose": _measured(loose),
        "published": {
            "locations": row.locations,
            "loops": row.loops,
            "strict": _published(row.strict),
            "loose": _published(row.loose),
        },
    }


def _measured(measured: Measured) -> Mapping[str, Any] | None:
    if measured.verdicts is None:
        return None
    refinement = measured.refinement_ms
    return {
        "total": measured.total,
        "average": round(measured.average, 2),
        "top": measured.top,
        "time_ms": round(measured.time_ms, 1),
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
