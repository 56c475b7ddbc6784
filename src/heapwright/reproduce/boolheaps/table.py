"""Figures next to the published ones, and a table of programs with the proved checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heapwright.reproduce.boolheaps.figures import (
    EXAMPLE,
    FIGURES,
    computed,
    described,
    example_agrees,
    prover_confirms,
)
from heapwright.reproduce.boolheaps.measure import Measurement, measure
from heapwright.reproduce.reproduction import Bounds, Claim, Reproduction, Table

TITLE = "Podelski and Wies, Boolean Heaps, SAS 2005"
PROVED = (
    *("create", "traverse", "search", "reverse", "append", "insert", "delete"),
    *("dll_insert", "dll_delete", "tree_search"),
)
CYCLIC = "make_ring"
CARTESIAN = ("create", "traverse", "search", "insert", "delete", "tree_search")  # what Definition 5 proves
CALLS = 3_000

NOTES = (
    "updates are compared on vectors that some state has; the paper writes the same functions in other words",
    "the paper has no measurements: the table of programs stands beside nothing",
    "that prev leads back where next came from is a predicate of each object, proposed where an annotation or the "
    "program's own writes suggest it",
    "reverse: that every element of the input is in the output, and nothing else, are claims about a mark that is set "
    "before the loop and that no statement changes",
    "the paper defines its post for one object at a time (Definition 5) and says in its discussion that one that "
    "depends on the heap is more precise; the table has both, and the second proves more with fewer predicates",
    "times are of the processor",
    "leaks are not among the checks: the programs of the table keep what they build",
)


def reproduce(phase: Callable[[str], None], bounds: Bounds) -> Reproduction:
    phase("figures")
    figures = [(figure, computed(figure)) for figure in FIGURES]
    rows = [measure(program, bounds, phase) for program in (*PROVED, CYCLIC)]
    local = [measure(program, bounds, phase, "cartesian") for program in (*PROVED, CYCLIC)]
    tables = [
        Table(
            ("predicate", "becomes true", "becomes false", "as published"),
            tuple(described(one) for one in found),
            f"{figure.title}: {figure.command}",
        )
        for figure, found in figures
    ]
    claims = [
        *(
            Claim(
                f"{figure.title}: every update is the published one, as a Boolean function",
                all(o.agrees for o in found),
            )
            for figure, found in figures
        ),
        *(
            Claim(
                f"{figure.title}: the prover entails what is published, and nothing from its negation",
                prover_confirms(figure),
            )
            for figure in FIGURES
        ),
        Claim(f"section 5: the precondition of {EXAMPLE[0]} over x.next := y is {EXAMPLE[1]}", example_agrees()),
        *claims_of(rows),
        *cartesian_claims(local),
    ]
    return Reproduction(
        "boolheaps",
        TITLE,
        (*tables, programs_table(rows), cartesian_table(rows, local)),
        tuple(claims),
        NOTES,
        [as_row(row) for row in rows],
    )


def claims_of(rows: Sequence[Measurement]) -> list[Claim]:
    by_name = {row.program: row for row in rows}
    proved, ring = [by_name[name] for name in PROVED], by_name[CYCLIC]
    unproved = [f"{row.program} {row.failure or ' '.join(row.open_checks)}" for row in proved if not _safe(row)]
    calls = {row.program: int((row.stats or {}).get("prover_calls", 0)) for row in rows}
    asked = [f"{row.program}: {row.warm_calls}" for row in (*proved, ring) if row.warm_calls]
    return [
        Claim(
            "every check of lists, of doubly linked lists and of tree search is proved",
            not unproved,
            "; ".join(unproved),
        ),
        Claim(
            "a list that is closed to a ring is not proved acyclic",
            not ring.failure and any(one.endswith((":shape", ":assert")) for one in ring.open_checks),
            ring.failure or " ".join(ring.open_checks),
        ),
        Claim(
            f"no program takes {CALLS} calls of the prover",
            max(calls.values()) < CALLS,
            " ".join(f"{name}: {count}" for name, count in calls.items() if count >= CALLS),
        ),
        Claim("with a warm cache there are no prover queries", not asked, "; ".join(asked)),
    ]


def cartesian_claims(rows: Sequence[Measurement]) -> list[Claim]:
    by_name = {row.program: row for row in rows}
    unproved = [name for name in CARTESIAN if not _safe(by_name[name])]
    asked = [row.program for row in rows if not row.failure and (row.stats or {}).get("fixpoint_calls") != 0]
    ring = by_name[CYCLIC]
    return [
        Claim(
            f"Definition 5 proves every check of {len(CARTESIAN)} programs ({', '.join(CARTESIAN)})",
            not unproved,
            "; ".join(unproved),
        ),
        Claim("the fixpoint of Definition 5 calls no prover", not asked, "; ".join(asked)),
        Claim(
            "Definition 5 does not prove the ring acyclic",
            not ring.failure and any(one.endswith((":shape", ":assert")) for one in ring.open_checks),
            ring.failure or " ".join(ring.open_checks),
        ),
    ]


def cartesian_table(state: Sequence[Measurement], local: Sequence[Measurement]) -> Table:
    """The state-dependent post beside the Cartesian one."""
    lines = []
    for one, other in zip(state, local, strict=True):
        cells = [one.program]
        for row in (one, other):
            stats = row.stats or {}
            figures = (str(stats.get(name, "-")) for name in ("predicates", "prover_calls", "refinements"))
            cells += [*figures, f"{row.cold_s:.1f} s", row.failure or " ".join(row.open_checks) or "-"]
        lines.append(tuple(cells))
    columns = ("predicates", "calls", "refined", "time", "open")
    return Table(
        ("program", *(f"{name} ({post})" for post in ("state", "Cartesian") for name in columns)),
        tuple(lines),
        "the post of the discussion, which depends on the heap, beside that of Definition 5",
    )


def _safe(row: Measurement) -> bool:
    return bool(row.proved) and not row.failure and not row.open_checks


def programs_table(rows: Sequence[Measurement]) -> Table:
    columns = (
        *("program", "predicates", "calls (abstraction)", "abstraction", "calls (fixpoint)", "fixpoint"),
        *("warm", "heaps", "proved", "open"),
    )
    lines = []
    for row in rows:
        stats = row.stats or {}
        phases = [
            figure
            for phase in ("abstraction", "fixpoint")
            for figure in (str(stats.get(f"{phase}_calls", "-")), f"{float(stats.get(f'{phase}_s', 0)):.1f} s")
        ]
        left = row.failure or " ".join(row.open_checks) or "-"
        figures = (str(stats.get("predicates", "-")), *phases, f"{row.warm_s:.1f} s")
        lines.append((row.program, *figures, str(stats.get("boolean_heaps", "-")), str(row.proved), left))
    title = (
        "programs: calls of the prover and time of both phases with a cold cache (the abstraction, and the fixpoint, "
        "which asks for what is left), and time of all with a warm one"
    )
    return Table(columns, tuple(lines), title)


def as_row(row: Measurement) -> dict[str, object]:
    return {
        "program": row.program,
        "proved": row.proved,
        "open": list(row.open_checks),
        "cold_s": round(row.cold_s, 2),
        "warm_s": round(row.warm_s, 2),
        "failure": row.failure,
        **(row.stats or {}),
    }
