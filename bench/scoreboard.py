"""Run heapwright's engines, all of them together, and peers on tasks with known answers; print and draw the score.

    python bench/scoreboard.py CHECKOUT [--tools auto,tvl,peers] [--timeout 60] [--tasks bench/svcomp-dev.tsv]
                               [--results scoreboard.jsonl] [--page scoreboard.html] [--jobs 2] [--only WORD]

CHECKOUT is the folder that the paths of the list are in, such as a work tree of the SV-COMP benchmarks. Each task runs
in a process of its own, as a user would run it. Answers are kept as they come: the same command goes on where it was
stopped (`--again` starts anew). Peers are gcc, clang and cppcheck where they are on the path, and Predator if a built
checkout is given (`--predator PATH`).

By the rules of the competition functions without a body change nothing (`--externals pure`). A name with `:havoc`
behind it is the same engine without that assumption (`--tools auto,auto:havoc`), and what it loses is listed.

The exit code is 1 if heapwright gave a wrong answer; by other rules, `NAME:havoc` cannot.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from board.page import page
from board.tasks import POINTS, RIGHT, WRONG, Answer, Task, judged, keep, kept_answers, read_tasks
from board.text_table import Row, text_of
from board.tools import Heapwright, Tool, ask, peers

ENGINES = ("explore", "fesa", "tvl", "lazy", "boolheap")
TOGETHER = "auto"
VARIANTS = {"lazy-alone": ("lazy", ("--shapes", "lazy"))}  # without the exploration of small heaps in front
HAVOC = ":havoc"  # functions without a body write what they reach


def wanted_tools(names: str, predator: Path | None) -> list[Tool]:
    found: list[Tool] = []
    for name in names.split(","):
        plain = name.removesuffix(HAVOC)
        engine, options = VARIANTS.get(plain, (plain, ()))
        externals = "pure" if name == plain else "havoc"
        found += peers(predator) if name == "peers" else [Heapwright(engine, options, name, externals)]
    return found


def answers_of(tools: Sequence[Tool], tasks: Sequence[Task], options: argparse.Namespace) -> list[Answer]:
    """Those that are kept, and those that are missing, asked for now."""
    if options.again:
        options.results.unlink(missing_ok=True)
    names = {tool.name for tool in tools}
    paths = {(task.path, task.property) for task in tasks}
    found = {
        (a.tool, a.path, a.property): a
        for a in kept_answers(options.results)
        if a.limit == options.timeout and a.tool in names and (a.path, a.property) in paths
    }
    missing = [(tool, task) for tool in tools for task in tasks if (tool.name, task.path, task.property) not in found]
    begin = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(ask, tool, task, options.checkout, options.timeout) for tool, task in missing]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                answer = future.result()
                keep(options.results, answer)
                found[answer.tool, answer.path, answer.property] = answer
                _progress(done, len(missing), begin, answer)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    return list(found.values())


def _progress(done: int, count: int, begin: float, answer: Answer) -> None:
    if not sys.stderr.isatty():
        return
    left = (time.monotonic() - begin) / done * (count - done)
    bar = "#" * (30 * done // count)
    print(f"\r[{bar:30}] {done}/{count}, {left:.0f} s left, {answer.tool}: {Path(answer.path).name:40.40}", end="",
          file=sys.stderr, flush=True)  # fmt: skip
    if done == count:
        print(file=sys.stderr)


# --- tables ----------------------------------------------------------------------------------------------------------


class Board:
    """The answers, judged."""

    def __init__(self, tasks: Sequence[Task], answers: Sequence[Answer]) -> None:
        self.tasks = {(task.path, task.property): task for task in tasks}
        self.answers = {(a.tool, a.path, a.property): a for a in answers}
        self.tools = list(dict.fromkeys(a.tool for a in answers))

    def judgement(self, answer: Answer) -> str:
        return judged(self.tasks[answer.path, answer.property], answer.said)

    def of(self, tool: str) -> list[Answer]:
        return [a for a in self.answers.values() if a.tool == tool]

    def right(self, tool: str) -> list[Answer]:
        return [a for a in self.of(tool) if self.judgement(a) in RIGHT]

    def tools_table(self) -> list[Row]:
        rows: list[Row] = [
            ("tool", "tasks", "proved", "found", "undecided", "wrong", "score", "median s", "90 % s", "most s", "all s")
        ]
        for tool in self.tools:
            counts = Counter(self.judgement(a) for a in self.of(tool))
            right = sum(counts[name] for name in RIGHT)
            wrong = sum(counts[name] for name in WRONG)
            points = sum(POINTS.get(name, 0) * count for name, count in counts.items())
            seconds = sorted(a.seconds for a in self.right(tool)) or [0.0]
            rows.append((
                tool, str(counts.total()), str(counts["proved"]), str(right - counts["proved"]),
                str(counts.total() - right - wrong), str(wrong), str(points), f"{statistics.median(seconds):.2f}",
                f"{seconds[round(0.9 * (len(seconds) - 1))]:.2f}", f"{seconds[-1]:.2f}",
                f"{sum(a.seconds for a in self.of(tool)):.0f}",
            ))  # fmt: skip
        return rows

    def kinds_table(self) -> list[Row]:
        kinds = sorted({task.kind for task in self.tasks.values()})
        rows: list[Row] = [("kind", "tasks", *self.tools)]
        for kind in kinds:
            inside = {key for key, task in self.tasks.items() if task.kind == kind}
            right = [str(sum((a.path, a.property) in inside for a in self.right(tool))) for tool in self.tools]
            rows.append((kind, str(len(inside)), *right))
        return rows

    def tasks_table(self) -> list[Row]:
        rows: list[Row] = [("task", "expected", *self.tools)]
        for (path, prop), task in self.tasks.items():
            found = [self.answers.get((tool, path, prop)) for tool in self.tools]
            cells = [f"{self.judgement(a)} {a.seconds:.1f} s" if a is not None else "-" for a in found]
            rows.append((path, task.expected, *cells))
        return rows

    def price_of_all(self) -> str:
        """What it costs to run all engines instead of the best one for the task, where both are right."""
        single = [name for name in ENGINES if name in self.tools]
        pairs = []
        for a in self.right(TOGETHER):
            others = [self.answers.get((name, a.path, a.property)) for name in single]
            best = [o.seconds for o in others if o is not None and self.judgement(o) in RIGHT]
            if best:
                pairs.append((a.seconds, min(best)))
        if not pairs:
            return ""
        over = statistics.median(both - 1.5 * alone - 1 for both, alone in pairs)
        ratio = statistics.median(both / alone for both, alone in pairs)
        return (
            f"auto beside the best engine, {len(pairs)} tasks: median ratio {ratio:.2f}; "
            f"seconds over 1.5 times and one second, on the median: {over:.2f}"
        )

    def externals(self) -> list[str]:
        """What is assumed of functions without a body, and what it costs not to assume that."""
        said = ["functions without a body change nothing (--externals pure), except where a tool has :havoc behind it"]
        for tool in self.tools:
            plain = tool.removesuffix(HAVOC)
            if plain == tool or plain not in self.tools:
                continue
            right = {(a.path, a.property) for a in self.right(tool)}
            asked = {(a.path, a.property) for a in self.of(tool)}
            lost = [a.path for a in self.right(plain) if (a.path, a.property) in asked - right]
            said.append(
                f"{tool} loses {len(lost)} tasks that {plain} answers rightly{': ' if lost else ''}" + ", ".join(lost)
            )
        return said

    def undecided(self) -> list[str]:
        return [
            f"{a.tool:9} {a.path}: {self.judgement(a)}: {a.remark}"
            for a in self.answers.values()
            if self.judgement(a) not in RIGHT and a.tool == TOGETHER
        ]


def lines_of(board: Board) -> Mapping[str, Sequence[float]]:
    return {tool: [a.seconds for a in board.right(tool)] for tool in board.tools}


def main() -> int:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--tasks", type=Path, default=here / "svcomp-dev.tsv")
    parser.add_argument(
        "--tools",
        default=",".join((TOGETHER, *ENGINES, *VARIANTS)),
        help="engines, auto, lazy-alone (refinement without exploration in front), peers (with commas); with :havoc "
        "behind a name, functions without a body write what they reach",
    )
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--only", default="", help="only tasks whose path contains this")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--predator", type=Path, help="a checkout of Predator that has been built")
    parser.add_argument("--results", type=Path, default=Path("scoreboard.jsonl"), help="where answers are kept")
    parser.add_argument("--page", type=Path, default=Path("scoreboard.html"))
    parser.add_argument("--again", action="store_true", help="forget the answers that are kept")
    options = parser.parse_args()
    tasks = [task for task in read_tasks(options.tasks) if options.only in task.path]
    missing = [task.path for task in tasks if not (options.checkout / task.path).is_file()]
    if missing:
        print(f"{options.checkout} has no {missing[0]} ({len(missing)} tasks are missing)", file=sys.stderr)
        return 2
    board = Board(tasks, answers_of(wanted_tools(options.tools, options.predator), tasks, options))
    print(text_of(board.tasks_table()), text_of(board.kinds_table()), text_of(board.tools_table()), sep="\n\n")
    print("", *board.externals(), *board.undecided(), board.price_of_all(), sep="\n")
    tables = [
        ("Tools", board.tools_table()),
        ("Right answers by kind of structure", board.kinds_table()),
        ("Tasks", board.tasks_table()),
    ]
    title = f"{len(tasks)} tasks, {options.timeout:g} s each; {'; '.join(board.externals())}"
    options.page.write_text(page(title, tables, lines_of(board)), "utf-8")
    own = (*ENGINES, *VARIANTS, TOGETHER)
    return 1 if any(a.tool in own and board.judgement(a) in WRONG for a in board.answers.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
