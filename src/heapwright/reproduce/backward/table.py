"""The preconditions of the obligations of the programs, next to those of the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from heapwright.engines.infer.api import Closure
from heapwright.reproduce.backward.closures import ClosureComparison, compare
from heapwright.reproduce.backward.measure import LENGTHS, Measurement, Need, measure
from heapwright.reproduce.reproduction import Bounds, Claim, Reproduction, Table

TITLE = "Lev-Ami, Sagiv, Reps and Gulwani, Backward Analysis for Inferring Quantified Preconditions, 2007"
PROGRAMS = ("append", "reverse", "reverse_order", "delete", "strlen", "max")
PUBLISHED: Mapping[tuple[str, str], int] = {("append", "cycle"): 27, ("append", "shape"): 17, ("strlen", "bounds"): 4}
EXPECTED: Mapping[tuple[str, str], str] = {
    ("append", "cycle"): "the lists x and y share no object",
    ("append", "shape"): "every allocated object is reached from x or y",
    ("reverse", "cycle"): "nothing",
    ("reverse", "shape"): "every allocated object is reached from x",
    ("reverse_order", "shape"): "along the list x val never decreases",
    ("delete", "cycle"): "nothing",
    ("delete", "shape"): "every allocated object is reached from x",
    ("strlen", "bounds"): "some element of s is 0",
    ("max", "bounds"): "a has no cells, or mi is the index of a cell of a",
    ("max", "assert"): "a has no cells, or mi is 0, or some element of a from index 1 is at least a[0]",
}
WHAT = {"cycle": "no cycle", "shape": "everything reachable", "bounds": "in bounds", "assert": "a greatest element"}
NOTES = (
    "there are fewer structures at the entry than in the paper: only the variable through which a field is read or "
    "written is placed in the heap, and what the other variables reach is derived without their place",
    "the paper's assertions on acyclicity hold because no write makes a cycle, so that what they need is what the "
    "writes need: they are the rows of kind cycle",
    "reverse_order is reverse with order (section 5.1.1): the paper's assertion speaks of neighbours, and as the order "
    "of keys is transitive it is the same to ask of any two objects of the list",
    "null pointers, freed memory and double frees are demands as well, and need nothing in the programs on lists; "
    "strlen needs that s is not null, which the paper takes for granted",
    "that a string has a zero includes that its buffer is not empty",
    "max is Figure 9 with the comparison of section 5.1.5, with n as the length of a, and with an assertion about one "
    "element that may be any",
)
CLOSURE_NOTES = (
    "the paper has both ways of following what a write does to reachability and compares them nowhere; regions and "
    "axioms prove less than update formulas do, so that structures are less precise and preconditions may be stronger",
)


def reproduce(
    phase: Callable[[str], None],
    bounds: Bounds,
    *,
    closure: Closure = Closure.UPDATES,
    compare_closures: bool = False,
) -> Reproduction:
    """With `compare_closures` the list programs are also analysed with every encoding of reachability."""
    rows = [measure(program, bounds, phase, closure) for program in PROGRAMS]
    found = compare(phase, bounds) if compare_closures else ClosureComparison((), (), ())
    return Reproduction(
        "backward",
        TITLE,
        (needs_table(rows), runs_table(rows), *found.tables),
        (*claims_of(rows), *found.claims),
        (*NOTES, *(CLOSURE_NOTES if compare_closures else ())),
        [*(as_row(row) for row in rows), *found.rows],
    )


def claims_of(rows: Sequence[Measurement]) -> list[Claim]:
    by_name = {row.program: row for row in rows}
    found = []
    for (program, kind), words in EXPECTED.items():
        row = by_name[program]
        need = row.need(kind)
        what = "order turned around" if program == "reverse_order" else WHAT[kind]
        holds = not row.failure and need.words == words
        found.append(Claim(f"{program}, {what}: {words}", holds, "" if holds else row.failure or need.words))
    lists = [row for row in rows if row.program not in LENGTHS]
    others = [need for row in lists for need in row.needs if need.kind not in ("cycle", "shape")]
    needing = [f"{need.demand}: {need.words}" for need in others if need.words != "nothing"]
    missed = {row.program: row.missed for row in rows if row.missed}
    excluded = {row.program: f"{row.excluded} of {row.harmless}" for row in rows if row.excluded}
    failed = [f"{row.program} {row.failure}" for row in rows if row.failure]
    return [
        *found,
        Claim("pointers into lists are valid whatever the inputs", bool(others) and not needing, "; ".join(needing)),
        Claim(
            "no heap of up to 4 objects, and no array of up to 4 cells, is allowed and fails",
            not missed and not failed,
            str(missed or failed or ""),
        ),
        Claim("no safe input is excluded", not excluded and not failed, str(excluded or failed or "")),
    ]


def _published(row: Measurement, need: Need) -> str:
    return str(PUBLISHED.get((row.program, need.kind), "-")) if need.structures else "-"


def needs_table(rows: Sequence[Measurement]) -> Table:
    lines = [
        (f"{row.program} {need.demand} [{need.kind}]", str(need.structures), _published(row, need), need.words)
        for row in rows
        for need in row.needs
    ]
    return Table(("demand", "structures", "paper", "needs"), tuple(lines), "obligations, and their preconditions")


def runs_table(rows: Sequence[Measurement]) -> Table:
    lines = [
        (
            row.program,
            row.failure or f"{row.time_s:.1f} s",
            f"{row.warm_s:.1f} s",
            str(row.questions),
            str(row.warm_questions),
            str(row.models),
            str(row.unknown),
            str(row.heaps),
            f"{row.excluded} of {row.harmless}",
        )
        for row in rows
    ]
    columns = ("program", "cold", "warm", "queries", "warm", "models", "unknown", "inputs run", "safe excluded")
    return Table(columns, tuple(lines), "the prover, and all small heaps and arrays")


def as_row(row: Measurement) -> dict[str, object]:
    return {
        "program": row.program,
        "needs": [
            {"demand": need.demand, "kind": need.kind, "words": need.words, "structures": need.structures}
            for need in row.needs
        ],
        "time_s": round(row.time_s, 2),
        "warm_s": round(row.warm_s, 2),
        "warm_questions": row.warm_questions,
        "questions": row.questions,
        "models": row.models,
        "unknown": row.unknown,
        "heaps": row.heaps,
        "missed": row.missed,
        "harmless": row.harmless,
        "excluded": row.excluded,
        "failure": row.failure,
    }
