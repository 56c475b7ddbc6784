"""Record what every engine answers on every program here, and compare: nothing may change where nothing should.

    python bench/corpus.py record FILE            all programs, with every engine, and the TVP examples
    python bench/corpus.py compare FILE           the same again; prints what differs, exit code 1 if anything does
    python bench/corpus.py compare FILE --sample  every twelfth row alone: two minutes; --sample N: one row in N
    ... [--only WORD] [--jobs 2] [--svcomp CHECKOUT] [--tvla CHECKOUT]

With --only or --sample, `record` replaces these rows and keeps the others.

A row has the verdict of each check (`p`roved, `v`iolated, `u`nknown, in the order of the checks' places), a digest of
those places and kinds, and the counts of the engine that do not depend on time. Message texts are not recorded.
Analyses are bounded by steps (`STATES`), so that a row is the same on a busy machine; one that nevertheless takes
`SECONDS` of processor time is recorded as `cut` and agrees with everything.

With a work tree of SV-COMP's benchmarks the rows of `bench/svcomp-dev.tsv` are recorded, too; with one of TVLA, its
small examples.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import re
import resource
import signal
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.collection import programs  # noqa: E402

from heapwright.analysis.judgement import run_engine  # noqa: E402
from heapwright.analysis.pipeline import build  # noqa: E402
from heapwright.base.errors import HeapwrightError  # noqa: E402
from heapwright.engines import load_engine  # noqa: E402
from heapwright.engines.api import Limits, NullProgress  # noqa: E402
from heapwright.result.outcomes import Result  # noqa: E402
from heapwright.settings.properties import goal_of  # noqa: E402
from heapwright.testing.expectations import Expectation, read  # noqa: E402

STATES = {"boolheap": 60, "explore": 3_000, "fesa": 800, "lazy": 250, "tvl": 500}
SECONDS = 30
SAMPLE = 12
COUNTS = frozenset(
    {"iterations", "structures_in_graph", "structures_total", "structures_at_locations", "most_at_a_location"}
    | {"states", "runs", "depth", "quantifications", "average_flags", "average_size", "loop_iterations", "nodes"}
    | {"predicates", "refinements", "splittings", "boolean_heaps", "tracked_pointers", "node_predicates"}
    | {"shape_operations"}
)
EXAMPLES = {
    "sll": ("append", "create", "delete", "deleteAll", "getLast", "insert", "merge", "reverse", "rotate", "search"),
    "dll": ("splice",),
}


@dataclass(frozen=True)
class Case:
    """`name` and `engine` make the key of a row."""

    name: str
    engine: str
    path: Path
    expected: Expectation | None = None
    initial: Path | None = None  # of a TVP program

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.engine


# --- which cases there are -------------------------------------------------------------------------------------------


def cases(svcomp: Path | None, tvla: Path | None) -> Iterator[Case]:
    for path in (*programs(), *sorted((ROOT / "examples").glob("*.c")), *sorted(ROOT.glob("tests/fuzz/finds/*.c"))):
        inside = (ROOT / "tests" / "programs") in path.parents
        yield from _c_cases(str(path.relative_to(ROOT)), path, read(path) if inside else _plain())
    for path in sorted((ROOT / "bench" / "tvp").glob("*.tvp")):
        initial = path.with_suffix(".tvs")
        if initial.exists():
            yield Case(str(path.relative_to(ROOT)), "tvp", path, initial=initial)
    if svcomp is not None:
        for line in (ROOT / "bench" / "svcomp-dev.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            file, wanted, _, _, _, model = line.split("\t")
            expected = replace(_plain(), data_model=model, properties=(wanted,))
            yield from _c_cases(f"{file}:{wanted}", svcomp / file, expected)
    if tvla is not None:
        for folder, names in EXAMPLES.items():
            for name in names:
                path = next(tvla.rglob(f"examples/{folder}/{name}.tvp"))
                initial = path.with_suffix(".tvs")
                common = path.parent / f"{folder}.tvs"
                yield Case(f"tvla/{folder}/{name}", "tvp", path, initial=initial if initial.exists() else common)


def _plain() -> Expectation:
    return Expectation("unknown", "unknown", frozenset())


def _c_cases(name: str, path: Path, expected: Expectation) -> Iterator[Case]:
    for engine in STATES:
        yield Case(name, engine, path, expected)


# --- one row ---------------------------------------------------------------------------------------------------------


def answer(case: Case) -> str:
    return _specification(case) if case.initial is not None else _program(case)


def _program(case: Case) -> str:
    assert case.expected is not None
    source = case.expected.input(case.path)
    try:
        program = build(replace(source, files=(str(case.path),)), phase=lambda message: None)
    except HeapwrightError as error:
        return f"refused {type(error).__name__}"
    goal = goal_of(case.expected.properties)
    limits = Limits(states=STATES[case.engine], objects=case.expected.objects)
    result = run_engine(load_engine(case.engine), program, goal, limits, NullProgress())
    return f"{result.verdict.value}\t{_checks(result)}\t{_counts(result.stats)}"


def _checks(result: Result) -> str:
    found = sorted((outcome.check.span.line, outcome.check.span.column, outcome.check.kind.value, outcome.verdict.value)
                   for outcome in result.outcomes)  # fmt: skip
    places = hashlib.sha256(repr([row[:3] for row in found]).encode()).hexdigest()[:8]
    return f"{''.join(row[3][0] for row in found)}\t{places}"


def _counts(stats: Mapping[str, float | int | str]) -> str:
    return " ".join(f"{name}={stats[name]}" for name in sorted(COUNTS & stats.keys()))


def _specification(case: Case) -> str:
    import contextlib
    import io
    import json

    from heapwright.cli import main

    assert case.initial is not None
    rows = []
    for join in ("part", "rel"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = main(["tvp", str(case.path), str(case.initial), "--join", join, "--json", "-"])
        report = json.loads(out.getvalue()[out.getvalue().index("{") :])
        stats = {name: value for name, value in report["stats"].items() if name in COUNTS}
        rows.append(f"{join} {code} {_counts(stats)} {len(report.get('messages', ()))}")
    return "\t".join(rows)


def _isolated(case: Case) -> tuple[Case, str]:
    """In a process of its own, so that no analysis depends on an earlier one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        signal.signal(signal.SIGXCPU, lambda *_: os._exit(9))
        try:
            with tempfile.TemporaryDirectory() as folder:
                os.environ["XDG_CACHE_HOME"] = folder
                told = answer(case)
        except BaseException as error:
            told = f"crashed {type(error).__name__}"
        os.write(writing, told.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return case, told or "cut"


# --- recording and comparing -----------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["record", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--sample", type=int, nargs="?", const=SAMPLE, default=1, metavar="N")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--svcomp", type=Path)
    parser.add_argument("--tvla", type=Path)
    options = parser.parse_args()
    wanted = [one for one in cases(options.svcomp, options.tvla) if options.only in "\t".join(one.key)]
    wanted = [one for one in wanted if zlib.crc32("\t".join(one.key).encode()) % options.sample == 0]
    found: dict[tuple[str, str], str] = {}
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        for done, (case, told) in enumerate(pool.imap_unordered(_isolated, wanted), 1):
            found[case.key] = told
            if sys.stderr.isatty() or done % 200 == 0:
                print(f"{done} of {len(wanted)}", file=sys.stderr)
    if options.action == "record":
        part = (options.only or options.sample > 1) and options.file.exists()
        rows = {**(_recorded(options.file) if part else {}), **found}  # the others of a part stay
        lines = ["\t".join((*key, rows[key])) for key in sorted(rows)]
        options.file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{len(found)} of {len(lines)} rows")
        return 0
    return _compared(_recorded(options.file), found)


def _recorded(file: Path) -> dict[tuple[str, str], str]:
    rows = (line.split("\t", 2) for line in file.read_text(encoding="utf-8").splitlines())
    return {(name, engine): told for name, engine, told in rows}


def _answer(row: str, engine: str) -> str:
    """What is compared of a row. Where a bound ended the analysis, counts only say when the bound was noticed."""
    steps = re.search(r"\biterations=(\d+)", row)
    bounded = steps is not None and int(steps[1]) >= STATES.get(engine, sys.maxsize)
    return row.rpartition("\t")[0] if bounded else row


def _compared(before: Mapping[tuple[str, str], str], now: Mapping[tuple[str, str], str]) -> int:
    both = [key for key in sorted(now) if key in before and "cut" not in (before[key], now[key])]
    differ = [key for key in both if _answer(before[key], key[1]) != _answer(now[key], key[1])]
    for key in differ:
        print("\t".join(key), f"  before: {before[key]}", f"  now:    {now[key]}", sep="\n")
    new = sum(key not in before for key in now)
    print(f"{len(now)} rows, {len(differ)} differ, {new} are not recorded")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
