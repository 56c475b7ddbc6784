"""Table 1, next to the published figures, and the claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heapwright.reproduce.lazy.measure import CONFIGURATIONS, Configuration, Measurement, measure
from heapwright.reproduce.lazy.published import TABLE_1, PublishedRow
from heapwright.reproduce.reproduction import Bounds, Claim, Reproduction, Table

NOTES = (
    "the paper checks assertions alone, we check every dereference as well: most of our refinements are about these",
    "the six programs are our own texts; only list_flag is printed in the paper",
    "the paper reports false positives as found; here a path that formulas refute is no error, so that the verdict is "
    "unknown, with the reason",
    "predicates alone end at the first check that they give up, or after 20 refinements; shapes alone end at the first "
    "alarm",
    "times: a 3 GHz Intel Xeon there; ours without reading the file and starting Python",
)
COST = 1.5  # maximum ratio of shape operations to those of shapes alone, where these prove all


@dataclass(frozen=True, slots=True)
class Row:
    published: PublishedRow
    predicates: Measurement
    shapes: Measurement
    both: Measurement
    twin: Measurement

    def of(self, configuration: Configuration) -> Measurement:
        return {"predicates": self.predicates, "shapes": self.shapes, "both": self.both}[configuration]


def reproduce(phase: Callable[[str], None], bounds: Bounds) -> Reproduction:
    rows = []
    for row in TABLE_1:
        predicates, shapes, both = (measure(row.program, one, bounds, phase) for one in CONFIGURATIONS)
        rows.append(Row(row, predicates, shapes, both, measure(f"{row.program}_buggy", "both", bounds, phase)))
    return Reproduction(
        "lazy",
        "Table 1 of Beyer, Henzinger and Théoduloz 2005 (ours / published)",
        (table_1(rows), twins(rows)),
        tuple(claims(rows)),
        (*NOTES, *reasons(rows)),
        [as_row(row) for row in rows],
    )


def table_1(rows: Sequence[Row]) -> Table:
    columns = (
        "program",
        "predicates",
        "refinements",
        "s",
        "shapes",
        "s",
        "both",
        "refinements",
        "s",
        "shape operations",
    )
    cells = []
    for row in rows:
        published, operations = row.published, [_stat(one, "shape_operations") for one in (row.both, row.shapes)]
        cells.append(
            (
                published.program,
                f"{_verdict(row.predicates)} / FP",
                f"{row.predicates.refinements} / {published.predicates_refinements}",
                f"{row.predicates.time_s:.2f} / {published.predicates_s:.2f}",
                f"{_verdict(row.shapes)} / {'safe' if published.shapes_prove else 'FP'}",
                f"{row.shapes.time_s:.2f} / {published.shapes_s:.2f}",
                f"{_verdict(row.both)} / safe",
                f"{row.both.refinements} / {published.both_refinements}",
                f"{row.both.time_s:.2f} / {published.both_s:.2f}",
                f"{operations[0]} / {operations[1]} of shapes alone",
            )
        )
    return Table(columns, tuple(cells), "Table 1")


def twins(rows: Sequence[Row]) -> Table:
    cells = [
        (f"{row.published.program}_buggy", _verdict(row.twin), ", ".join(row.twin.violated), f"{row.twin.time_s:.2f}")
        for row in rows
    ]
    return Table(("program", "both", "violated (line:kind), each shown by a run", "s"), tuple(cells), "Buggy twins")


def _verdict(measured: Measurement) -> str:
    return measured.verdict or "-"


def _stat(measured: Measurement, name: str) -> int:
    return int((measured.stats or {}).get(name, 0))


def claims(rows: Sequence[Row]) -> list[Claim]:
    names = {id(row): row.published.program for row in rows}
    unproved = [names[id(row)] for row in rows if row.both.verdict != "safe"]
    proved = [names[id(row)] for row in rows if row.predicates.verdict != "unknown"]
    other = [names[id(row)] for row in rows if (row.shapes.verdict == "safe") != row.published.shapes_prove]
    wrong = [names[id(row)] for row in rows for one in CONFIGURATIONS if row.of(one).violated]
    missed = [
        names[id(row)]
        for row in rows
        if row.twin.verdict != "unsafe" or any(not one.endswith(":assert") for one in row.twin.violated)
    ]
    dear = [
        names[id(row)]
        for row in rows
        if row.published.shapes_prove
        and _stat(row.both, "shape_operations") > COST * _stat(row.shapes, "shape_operations")
    ]
    return [
        Claim("predicates and shapes together prove all six", not unproved, ", ".join(unproved)),
        Claim("predicates alone prove none", not proved, ", ".join(proved)),
        Claim("shapes alone prove the first three, and no other", not other, ", ".join(other)),
        Claim("no configuration claims a violation of a correct program", not wrong, ", ".join(wrong)),
        Claim("each buggy twin is refuted by a run that breaks an assertion", not missed, ", ".join(missed)),
        Claim(
            f"on the first three, at most {COST} times the shape operations of shapes alone", not dear, ", ".join(dear)
        ),
    ]


def reasons(rows: Sequence[Row]) -> list[str]:
    """Reasons of unknown checks and of failed runs."""
    runs = [(row.published.program, one, row.of(one)) for row in rows for one in CONFIGURATIONS]
    return [
        f"{program}, {configuration} alone: {ours.failure or ours.reason}"
        for program, configuration, ours in runs
        if ours.failure or ours.reason
    ]


def as_row(row: Row) -> Mapping[str, Any]:
    found: dict[str, Any] = {"program": row.published.program}
    for name, ours in (*((one, row.of(one)) for one in CONFIGURATIONS), ("twin", row.twin)):
        found[name] = {
            "verdict": ours.verdict,
            "time_s": round(ours.time_s, 3),
            "stats": dict(ours.stats or {}),
            "violated": list(ours.violated),
            "reason": ours.failure or ours.reason,
        }
    found["published"] = {
        "predicates": {"time_s": row.published.predicates_s, "refinements": row.published.predicates_refinements},
        "shapes": {"time_s": row.published.shapes_s, "proved": row.published.shapes_prove},
        "both": {"time_s": row.published.both_s, "refinements": row.published.both_refinements},
    }
    return found
