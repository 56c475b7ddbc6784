"""Strict, loose and adaptive embedding of `tvl` side by side, on the programs of tests/programs.

    python bench/embeddings.py [--every 3] [--first 0] [--only WORD ...] [--structures 4000] [--timeout 60] [--loose]

Each program has its open checks and the structures that the analysis kept, under each embedding. Analyses end at a
number of structures, so that a run can be repeated on any machine; a program on which one of them meets that limit, or
the time limit behind it, counts in neither sum. The exit code is 1 if a program has more open checks under adaptive
than under strict embedding, or the structures are not fewer in the sum.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from support.collection import PROGRAMS  # noqa: E402 (the path to it is set above)

from heapwright.analysis.judgement import run_engine  # noqa: E402
from heapwright.analysis.pipeline import build  # noqa: E402
from heapwright.base.errors import InputError  # noqa: E402
from heapwright.engines import load_engine  # noqa: E402
from heapwright.engines.api import NullProgress  # noqa: E402
from heapwright.result.outcomes import Verdict  # noqa: E402
from heapwright.settings.properties import goal_of  # noqa: E402
from heapwright.testing.expectations import read  # noqa: E402


@dataclass(frozen=True)
class Found:
    open: int
    structures: int
    complete: bool
    cpu: float

    def __str__(self) -> str:
        return f"{self.open:4} open {self.structures:6} kept {self.cpu:6.2f} s" + ("" if self.complete else " limit")


def analysed(path: Path, embedding: str, structures: int, timeout: float) -> Found:
    expected = read(path)
    program = build(expected.input(path), lambda phase: None)
    goal = goal_of(expected.properties)
    limits = replace(expected.limits(timeout), states=structures)
    start = time.process_time()
    result = run_engine(load_engine("tvl", {"embedding": embedding}), program, goal, limits, NullProgress())
    unknown = sum(outcome.verdict is Verdict.UNKNOWN for outcome in result.outcomes)
    kept = int(result.stats.get("structures_in_graph", 0))
    return Found(unknown, kept, result.complete, time.process_time() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description="strict, loose and adaptive embedding of tvl side by side")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th program")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with this one")
    parser.add_argument("--only", nargs="+", default=[""], help="only programs whose path contains one of these")
    parser.add_argument("--structures", type=int, default=4000, help="most structures of an analysis")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--loose", action="store_true", help="loose embedding, too")
    options = parser.parse_args()
    kinds = ["strict", "adaptive", "loose"] if options.loose else ["strict", "adaptive"]
    paths = [path for path in sorted(PROGRAMS.rglob("*.c")) if any(word in str(path) for word in options.only)]
    rows: dict[str, dict[str, Found]] = {}
    for path in paths[options.first :: options.every]:
        name = str(path.relative_to(PROGRAMS))
        try:
            row = {kind: analysed(path, kind, options.structures, options.timeout) for kind in kinds}
        except InputError as refused:
            print(f"{name}: {refused}", flush=True)
            continue
        rows[name] = row
        print(f"{name:44}  " + "  |  ".join(f"{kind}: {row[kind]}" for kind in kinds), flush=True)
    return summary(rows, kinds)


def summary(rows: dict[str, dict[str, Found]], kinds: list[str]) -> int:
    whole = {name: row for name, row in rows.items() if all(found.complete for found in row.values())}
    print(f"\n{len(whole)} programs; {len(rows) - len(whole)} more met a limit")
    for kind in kinds:
        found = [row[kind] for row in whole.values()]
        total = sum(one.open for one in found), sum(one.structures for one in found), sum(one.cpu for one in found)
        print(f"  {kind:8}  {total[0]:5} open checks  {total[1]:7} structures  {total[2]:7.1f} s of processor time")
        for name, row in whole.items():
            if row[kind].open != row["strict"].open:
                print(f"    {name}: {row[kind].open} open, {row['strict'].open} under strict embedding")
    worse = any(row["adaptive"].open > row["strict"].open for row in whole.values())
    kept = [sum(row[kind].structures for row in whole.values()) for kind in ("strict", "adaptive")]
    return 1 if worse or kept[1] >= kept[0] else 0


if __name__ == "__main__":
    sys.exit(main())
