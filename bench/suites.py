"""Run heapwright on public suites of C programs whose answers are known, from checkouts; print a table.

    python bench/suites.py [--juliet CHECKOUT] [--c-testsuite CHECKOUT] [--sv-comp CHECKOUT]
                           [--weaknesses 121,416] [--files 10] [--seed 1] [--timeout 20] [--jobs 1]

Juliet has a bad and a good half of each test: the bad half fails, the good half is safe. `--files` tests of each
weakness are chosen by `--seed`; tests in C++, for Windows and with sockets are left out and counted. Leaks are asked
for in the weakness that is about them only, since other halves leak freely; a block that a global keeps to the end is
one. The programs of c-testsuite conform to the standard and are safe, and `heapwright run` prints what is expected of
them. The tasks of SV-COMP are those of `svcomp-dev.tsv` (`scoreboard.py` compares engines and peers on them).

The exit code is 1 if an answer is wrong or heapwright crashed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from board.tasks import read_tasks
from board.text_table import Row, text_of
from board.tools import GRACE, Printed, run

WEAKNESSES = ("121", "122", "124", "126", "127", "401", "415", "416", "476", "590", "690", "761")
LEAKS = "401"
ALLOCATION_FAILS = ("CWE690", "__malloc_realloc")  # what fails there is what follows a failed allocation
LEFT_OUT = (
    "w32",
    "socket",
    "wchar_t_environment",  # wide strings from getenv, which only Windows has
    "sizeof_double",  # the size of a pointer for that of what it points to: the same in LP64
    "sizeof_int64_t",
    "null_check_after_deref",  # of a block that was allocated: nothing fails
)
SAFE, UNSAFE = "safe", "unsafe"
UNCHECKED = ("00187.c",)  # it writes to a stream without asking whether that was opened
RUN_STEPS = "20000000"
RIGHT, WRONG, CRASH = "right", "WRONG", "CRASH"
COLUMNS = (RIGHT, "unknown", "refused", WRONG, CRASH)


@dataclass(frozen=True)
class Case:
    """One run of heapwright, and the verdict that is known to be right."""

    group: str
    name: str
    files: tuple[Path, ...]
    options: tuple[str, ...]
    expected: str
    output: bytes | None = None  # of `heapwright run`, which is tried instead of `check`


@dataclass(frozen=True)
class Outcome:
    case: Case
    judgement: str
    processor: float  # seconds
    remark: str


# --- suites ----------------------------------------------------------------------------------------------------------


def juliet(checkout: Path, weaknesses: Sequence[str], count: int, seed: int) -> Iterator[Case]:
    """Both halves of `count` tests of each weakness; every test if that many are not there."""
    support = checkout / "testcasesupport"
    for weakness in weaknesses:
        tests, left_out = _juliet_tests(checkout / "testcases", weakness)
        print(f"juliet {weakness}: {len(tests)} tests, {left_out} left out", flush=True)
        names = sorted(tests)
        for name in sorted(random.Random(seed).sample(names, min(count, len(names)))):
            for half, omitted, expected in (("bad", "OMITGOOD", UNSAFE), ("good", "OMITBAD", SAFE)):
                options = ["-I", str(support), "-D", "INCLUDEMAIN", "-D", omitted]
                properties = ["valid-deref", "valid-free", *(("valid-memcleanup",) if weakness == LEAKS else ())]
                options += [word for one in properties for word in ("--property", one)]
                options += ["--malloc-may-fail"] if any(word in name for word in ALLOCATION_FAILS) else []
                files = (*tests[name], support / "io.c")
                yield Case(f"juliet {weakness} {half}", f"{name} {half}", files, tuple(options), expected)


def _juliet_tests(folder: Path, weakness: str) -> tuple[dict[str, tuple[Path, ...]], int]:
    """The C files of each test: one, or several that differ in a letter at the end of their names; and how many tests
    are left out."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.glob(f"CWE{weakness}_*/**/CWE{weakness}_*.c*")):
        test = re.fullmatch(r"(.*__.*_\d\d)([a-z]|_\w+)?", path.stem)
        if test is not None:
            found[test[1]].append(path)
    kept = {
        name: tuple(paths)
        for name, paths in found.items()
        if all(path.suffix == ".c" for path in paths) and not any(word in name for word in LEFT_OUT)
    }
    return kept, len(found) - len(kept)


def c_testsuite(checkout: Path) -> Iterator[Case]:
    for path in sorted((checkout / "tests" / "single-exec").glob("*.c")):
        if path.name not in UNCHECKED:
            yield Case("c-testsuite", path.name, (path,), (), SAFE)
        expected = path.with_name(path.name + ".expected")
        if expected.exists():
            options = ("--steps", RUN_STEPS)
            yield Case("run of c-testsuite", f"run {path.name}", (path,), options, SAFE, expected.read_bytes())


def sv_comp(checkout: Path, tasks: Path) -> Iterator[Case]:
    for task in read_tasks(tasks):
        options = ("--property", task.property, "--data-model", task.data_model, "--externals", "pure")
        expected = SAFE if task.expected == "true" else UNSAFE
        yield Case("sv-comp", task.path, (checkout / task.path,), options, expected)


# --- runs ------------------------------------------------------------------------------------------------------------


def outcome_of(case: Case, options: argparse.Namespace) -> Outcome:
    if case.output is not None:
        return outcome_of_run(case, options)
    command = [sys.executable, "-m", "heapwright", "check", *map(str, case.files), *case.options]
    command += ["--engine", options.engine, "--timeout", f"{options.timeout:g}", "--json", "-"]
    printed = run(command, 3 * options.timeout + GRACE)
    judgement, remark = judged(case, printed)
    return Outcome(case, judgement, printed.processor, remark)


def outcome_of_run(case: Case, options: argparse.Namespace) -> Outcome:
    """Whether the program prints what it should."""
    command = [sys.executable, "-m", "heapwright", "run", *map(str, case.files), *case.options]
    printed = run(command, 3 * options.timeout + GRACE)
    remark = (printed.errors.strip().splitlines() or [""])[-1]
    if printed.stopped:
        return Outcome(case, "unknown", printed.processor, "it was stopped")
    if printed.code in (0, 1) and printed.output.encode() == case.output:
        return Outcome(case, RIGHT, printed.processor, remark)
    ended = "the program ended" in remark or printed.code == 1
    judgement = WRONG if printed.code in (0, 1) and ended else "refused" if printed.code == 2 else "unknown"
    return Outcome(case, judgement if printed.code in (0, 1, 2) else CRASH, printed.processor, remark)


def judged(case: Case, printed: Printed) -> tuple[str, str]:
    """What the answer is worth, and a remark."""
    if printed.stopped:
        return CRASH, "it was stopped"
    if printed.code not in (0, 1, 3):
        message = (printed.errors.strip().splitlines() or [""])[0]
        return (CRASH if printed.code != 2 or "Traceback" in printed.errors else "refused"), message
    report = json.loads(printed.output)
    verdict = str(report["verdict"])
    violated = [check for check in report["checks"] if check["verdict"] == "violated"]
    if violated:
        first = violated[0]
        remark = f"{Path(first['file']).name}:{first['line']}: {first['kind']}: {first['message']}"
    else:
        remark = report.get("limit") or ""
    if verdict in (SAFE, UNSAFE):
        return (RIGHT if verdict == case.expected else WRONG), remark
    return "unknown", remark


# --- tables ----------------------------------------------------------------------------------------------------------


def table(outcomes: Sequence[Outcome]) -> list[Row]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.case.group].append(outcome)
    rows: list[Row] = [("suite", "runs", *COLUMNS, "processor s", "median s")]
    for name, members in [*groups.items(), ("together", list(outcomes))]:
        counts = Counter(member.judgement for member in members)
        seconds = [member.processor for member in members]
        cells = (str(counts[column]) for column in COLUMNS)
        rows.append((name, str(len(members)), *cells, f"{sum(seconds):.0f}", f"{median(seconds):.2f}"))
    return rows


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--juliet", type=Path, metavar="CHECKOUT")
    parser.add_argument("--c-testsuite", type=Path, metavar="CHECKOUT")
    parser.add_argument("--sv-comp", type=Path, metavar="CHECKOUT")
    parser.add_argument("--tasks", type=Path, default=Path(__file__).parent / "svcomp-dev.tsv", help="of SV-COMP")
    parser.add_argument("--weaknesses", default=",".join(WEAKNESSES), help="of Juliet, with commas")
    parser.add_argument("--files", type=int, default=10, help="tests of each weakness")
    parser.add_argument("--seed", type=int, default=1, help="which tests of a weakness")
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def cases_of(options: argparse.Namespace) -> list[Case]:
    cases: list[Case] = []
    if options.juliet is not None:
        cases += juliet(options.juliet, options.weaknesses.split(","), options.files, options.seed)
    if options.c_testsuite is not None:
        cases += c_testsuite(options.c_testsuite)
    if options.sv_comp is not None:
        cases += sv_comp(options.sv_comp, options.tasks)
    return [case for case in cases if options.only in case.name]


def main() -> int:
    options = _arguments()
    cases = cases_of(options)
    if not cases:
        print("no programs: give the checkout of a suite (--help)", file=sys.stderr)
        return 2
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda case: outcome_of(case, options), cases):
            outcomes.append(outcome)
            if outcome.judgement != RIGHT:
                print(f"{outcome.judgement:8}{outcome.case.name}  {outcome.remark}", flush=True)
    print("", text_of(table(outcomes)), sep="\n")
    return 1 if any(outcome.judgement in (WRONG, CRASH) for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
