"""Run an engine on the programs of tests/programs/structures and print the table.

    python bench/structures.py [--engine tvl] [--option NAME=VALUE] [--only WORD ...] [--timeout 60] [--jobs 1]
                               [--update]

A safe program has the verdict, the seconds of the whole process (start, parsing, analysis: on the clock, and of
processor time, which other work on the machine does not change), the structures that the analysis kept, and the checks
that stay unknown, each with its line and the reason. A program with a seeded bug has the
checks that `explore` shows to be violated by a run and the engine proved, which must be none. Alarms are
not followed up by a search here: the table tells what the abstraction alone can do.

`--update` writes what was found into the table that the tests hold, tests/engines/tvl/structure_programs.tsv. Reasons
stay where a program is still not proved; where it was proved before, the first unknown check stands for one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from support.collection import PROGRAMS  # noqa: E402 (the path to it is set above)

from heapwright.testing.expectations import read  # noqa: E402 (the path to it is set above)

STRUCTURES = PROGRAMS / "structures"
TABLE = HERE.parent / "tests" / "engines" / "tvl" / "structure_programs.tsv"
SLOW = 2.0  # seconds of processor time
MEMORY_MB = 3000
CONFIRMATION_SECONDS = 20.0
SHOWN = 6  # unknown checks of one program

Unknowns = dict[str, list[str]]


@dataclass(frozen=True)
class Row:
    name: str
    verdict: str  # safe, unsafe, unknown, limit or failed
    seconds: float
    cpu: float
    structures: int
    proved: int
    checks: int
    unknown: Unknowns  # reason -> lines and kinds
    limit: str
    seeded: bool
    violated: int  # checks that explore shows to be violated
    proved_wrongly: tuple[str, ...]


# --- one program, in a process of its own ---------------------------------------------------------------------------


def work(path: Path, engine: str, options: dict[str, str], timeout: float) -> None:
    """What an engine says of one program, as one line of JSON."""
    from heapwright.analysis.judgement import run_engine
    from heapwright.analysis.pipeline import build
    from heapwright.engines import load_engine
    from heapwright.engines.api import NullProgress
    from heapwright.settings.properties import goal_of

    _limit_memory()
    expected = read(path)
    program = build(expected.input(path), lambda phase: None)
    goal, limits = goal_of(expected.properties), expected.limits(timeout)
    result = run_engine(load_engine(engine, options), program, goal, limits, NullProgress())
    checks = [
        {
            "id": outcome.check.id,
            "line": outcome.check.span.line,
            "kind": outcome.check.kind.value,
            "verdict": outcome.verdict.value,
            "reason": outcome.reason,
        }
        for outcome in result.outcomes
    ]
    report = {"verdict": result.verdict.value, "limit": result.limit, "complete": result.complete, "checks": checks}
    print(json.dumps(report | {"stats": result.stats, "cpu": time.process_time()}))


def _limit_memory() -> None:
    import resource

    size = MEMORY_MB * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def worker(path: Path, engine: str, options: list[str], timeout: float) -> dict[str, Any]:
    command = [sys.executable, __file__, "--engine", engine, "--timeout", str(timeout), "--work", str(path)]
    command += [word for option in options for word in ("--option", option)]
    start = time.monotonic()
    failed = {"verdict": "failed", "complete": True, "checks": [], "stats": {}, "cpu": 0.0}
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=2 * timeout + 30)
    except subprocess.TimeoutExpired:
        return failed | {"seconds": time.monotonic() - start, "limit": "it did not stop in time"}
    seconds = time.monotonic() - start
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return failed | {"seconds": seconds, "limit": lines[-1]}
    report: dict[str, Any] = json.loads(done.stdout)
    return report | {"seconds": seconds}


def run(path: Path, engine: str, options: list[str], timeout: float) -> Row:
    report = worker(path, engine, options, timeout)
    checks = report["checks"]
    unknown: Unknowns = defaultdict(list)
    for check in checks:
        if check["verdict"] == "unknown":
            unknown[check["reason"]].append(f"{check['line']} {check['kind']}")
    shown: set[str] = set()
    marks = read(path).bad
    if marks:
        search = worker(path, "explore", [], CONFIRMATION_SECONDS)
        shown = {check["id"] for check in search["checks"] if check["verdict"] == "violated"}
    proved = [check for check in checks if check["verdict"] == "proved"]
    return Row(
        name=str(path.relative_to(STRUCTURES).with_suffix("")),
        verdict=report["verdict"] if report["complete"] else "limit",
        seconds=report["seconds"],
        cpu=report["cpu"],
        structures=report["stats"].get("structures_in_graph", report["stats"].get("states", 0)),
        proved=len(proved),
        checks=len(checks),
        unknown=unknown,
        limit=report["limit"],
        seeded=bool(marks),
        violated=len(shown),
        proved_wrongly=tuple(f"{check['line']} {check['kind']}" for check in proved if check["id"] in shown),
    )


# --- the table ------------------------------------------------------------------------------------------------------


def print_row(row: Row, width: int) -> None:
    text = f"{row.name:{width}}  {row.verdict:8}  {row.seconds:6.2f} s  {row.cpu:6.2f} cpu"
    text += f"  {row.structures:6}  {row.proved:3}/{row.checks}"
    if row.seeded:
        wrongly = f"PROVED WRONGLY: {', '.join(row.proved_wrongly)}" if row.proved_wrongly else "not proved"
        print(f"{text}  {wrongly}; explore shows {row.violated} violated", flush=True)
        return
    print(f"{text}  {row.limit[:100]}".rstrip(), flush=True)
    if row.verdict in ("limit", "failed"):
        return
    for reason, places in row.unknown.items():
        more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        print(f"{'':{width}}    {', '.join(places[:SHOWN])}{more}: {reason[:100]}", flush=True)


def print_summary(rows: list[Row]) -> None:
    safe = [row for row in rows if not row.seeded]
    seeded = [row for row in rows if row.seeded]
    proved = [row for row in safe if row.verdict == "safe"]
    lists = [row for row in proved if row.name.startswith(("sll/", "dll/", "circular/"))]
    rest = [row for row in proved if row not in lists]
    print()
    print(f"safe programs proved: {len(proved)} of {len(safe)}")
    print(f"  lists: {len(lists)}, of them within 1 s of processor time: {sum(row.cpu <= 1 for row in lists)}")
    print(f"  the rest: {len(rest)}, of them within 10 s: {sum(row.cpu <= 10 for row in rest)}")
    wrong = sum(bool(row.proved_wrongly) for row in seeded)
    print(f"programs with a seeded bug: {len(seeded)}, proved wrongly: {wrong}")
    print(f"  shown by explore: {sum(row.violated > 0 for row in seeded)}")


def update_table(rows: list[Row]) -> None:
    """The lines of the safe programs among the rows, the others as they were."""
    head, *lines = TABLE.read_text(encoding="utf-8").splitlines()
    table = {name: rest for name, *rest in (line.split("\t") for line in lines)}
    for row in rows:
        if row.seeded:
            continue
        name = row.name.removesuffix("_ok")
        before = table.get(name, ["", "", ""])[2]
        found = [f"line {places[0]}: {reason}" for reason, places in row.unknown.items()]
        reason = "" if row.verdict == "safe" else before or next(iter(found), row.limit)
        table[name] = ["unknown" if reason else "proved", "slow" if row.cpu > SLOW else "quick", reason]
    lines = ["\t".join((name, *rest)) for name, rest in sorted(table.items())]
    TABLE.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="an engine on the programs of tests/programs/structures")
    parser.add_argument("--engine", default="tvl")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the engine")
    parser.add_argument("--only", nargs="+", default=[""], help="only programs whose name contains one of these")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="also write the rows there")
    parser.add_argument("--update", action="store_true", help="write the table that the tests hold")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work is not None:
        work(options.work, options.engine, dict(pair.split("=", 1) for pair in options.option), options.timeout)
        return 0
    if any("=" not in pair for pair in options.option):
        parser.error("an option is NAME=VALUE")
    paths = [path for path in sorted(STRUCTURES.rglob("*.c")) if any(word in str(path) for word in options.only)]
    if not paths:
        print("no program has such a name", file=sys.stderr)
        return 2
    width = max(len(str(path.relative_to(STRUCTURES))) for path in paths)
    rows: list[Row] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda path: run(path, options.engine, options.option, options.timeout), paths):
            rows.append(row)
            print_row(row, width)
    print_summary(rows)
    if options.json is not None:
        options.json.write_text(json.dumps([vars(row) for row in rows], indent=1), encoding="utf-8")
    if options.update:
        update_table(rows)
    return 1 if any(row.proved_wrongly for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
