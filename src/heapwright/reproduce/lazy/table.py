"""Table 1, next to the published figures, and the claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heapwright.reproduce.lazy.measure import CONFIGURATIONS, Configuration, Measurement, measure
from heapwright.reproduce.lazy.published import TABLE_1, PublishedRow
from heapwright.reproduce.reproduction import Bounds, Claim, Reproduction, Table

NOTES = (
    "the six programs are our own texts; only list_flag is printed in the paper",
    "the paper reports false positives as found; here a path that formulas refute is no error, so that the verdict is "
    "unknown, with the reason",
    "predicates alone end at the first check that they give up, or after 20 refinements; shapes alone end at the first "
    "alarm",
    "times: a 3 GHz Intel Xeon there; ours are of the processor, without reading the file and starting Python",
)
COST = 2.5  # maximum ratio of shape operations to those of shapes alone, where these prove all
FIELDS_ALONE = ("simple", "simple_backw", "list_flag", "alternating")  # the others need reachability
SECTIONS: Mapping[str, str] = {
    "one_list": "a list that is checked",
    "five_lists": "... beside four others, made with the same temporary",
    "reversed_once": "a list that is checked, then reversed",
    "reversed_four_times": "... reversed four times",
    "correlated": "two equal variables",
    "last": "a value read from a list",
}


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
    parts = {name: measure(name, "both", bounds, phase) for name in SECTIONS}
    return Reproduction(
        "lazy",
        "Table 1 of Beyer, Henzinger and Théoduloz 2005 (ours / published)",
        (table_1(rows), twins(rows), sections(parts)),
        (*claims(rows), *claims_of_sections(rows, parts)),
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
        published, operations = row.published, [one.stat("shape_operations") for one in (row.both, row.shapes)]
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


def sections(parts: Mapping[str, Measurement]) -> Table:
    cells = [
        (name, SECTIONS[name], _verdict(one), str(one.refinements), *(str(one.stat(each)) for each in COUNTS))
        for name, one in parts.items()
    ]
    columns = ("program", "what it is", "both", "refinements", "pointers tracked", "shape operations")
    return Table(columns, tuple(cells), "Where shapes are needed (sections 3 and 4)")


COUNTS = ("tracked_pointers", "shape_operations")


def _verdict(measured: Measurement) -> str:
    return measured.verdict or "-"


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
        if row.published.shapes_prove and row.both.stat("shape_operations") > COST * row.shapes.stat("shape_operations")
    ]
    return [
        Claim("predicates and shapes together prove all six", not unproved, ", ".join(unproved)),
        Claim("predicates alone prove none", not proved, ", ".join(proved)),
        Claim("shapes alone prove the first three, and no other", not other, ", ".join(other)),
        Claim("no configuration claims a violation of a correct program", not wrong, ", ".join(wrong)),
        Claim("each buggy twin is refuted by a run that breaks an assertion", not missed, ", ".join(missed)),
        Claim(
            f"on the first three, refinement makes the shape operations at most {COST:g} times those of shapes alone",
            not dear,
            "; ".join(map(_overhead, (row for row in rows if row.published.shapes_prove))),
        ),
    ]


def _overhead(row: Row) -> str:
    """What refinement adds, in shape operations and in processor time; the paper says about 20 %."""
    operations = row.both.stat("shape_operations") / max(1, row.shapes.stat("shape_operations")) - 1
    seconds = row.both.time_s / row.shapes.time_s - 1 if row.shapes.time_s else 0.0
    return f"{row.published.program}: operations {operations:+.0%}, time {seconds:+.0%}"


def claims_of_sections(rows: Sequence[Row], parts: Mapping[str, Measurement]) -> list[Claim]:
    refined = [check for row in rows for check in row.both.refined]
    of_accesses = sum(not check.endswith(":assert") for check in refined)
    wrong_type = [
        row.published.program
        for row in rows
        if (row.both.stat("with_reachability") == 0) != (row.published.program in FIELDS_ALONE)
    ]
    return [
        Claim(
            "most refinements are about dereferences, which the paper does not check",
            2 * of_accesses > len(refined),
            f"{of_accesses} of {len(refined)}",
        ),
        Claim(
            "section 4.2: shape types are climbed from fields alone, which prove four; list and splice need the next",
            not wrong_type,
            ", ".join(wrong_type),
        ),
        _alike("section 3: lists that are not checked cost no shapes", parts["one_list"], parts["five_lists"]),
        _alike(
            "section 4.2: tracking is local, what comes after the check costs no shapes",
            parts["reversed_once"],
            parts["reversed_four_times"],
            "shape_operations",
        ),
        _proved("section 4.1: the post is the strongest Boolean one where a path comes back", parts["correlated"]),
        _proved("theorem 1: what structures know excludes a path about a value that was read", parts["last"]),
    ]


def _alike(text: str, one: Measurement, other: Measurement, *counts: str) -> Claim:
    """Both are proved, with equal counts."""
    pairs = [(one.stat(name), other.stat(name)) for name in counts or COUNTS]
    safe = one.verdict == other.verdict == "safe"
    return Claim(text, safe and all(a == b for a, b in pairs), ", ".join(f"{a} and {b}" for a, b in pairs))


def _proved(text: str, one: Measurement) -> Claim:
    return Claim(text, one.verdict == "safe", one.failure or one.reason)


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
