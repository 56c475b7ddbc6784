"""Run TVLA and heapwright on TVLA's own examples, compare what they find and how long the whole commands take.

    python bench/tvla.py CHECKOUT [--join rel,part] [--folders sll,dll,...] [--only WORD] [--runs 5] [--timeout 120]
                                  [--budget SECONDS]

CHECKOUT is a work tree of the repository rumster/tvla, with lib/tvla.jar; Java must be on the path. Both commands run
as their users run them, in turn, on a copy of the examples: `java -jar tvla.jar PROGRAM INITIAL` and
`heapwright tvp PROGRAM INITIAL`, start included. For each example the table has the structures of both (in all, and in
the graph), whether their numbers agree at every location, whether the messages do, and the median times: elapsed, and
of processors (a JVM compiles and collects on several; on a busy machine those are the ones to compare). With a budget,
an example that has taken so many seconds is not run again; the table tells how often each one ran.

Under the join `part`, how many structures there were in all depends on the order in which those of a location are
pushed on, since each may be merged with others before its turn; what the locations hold in the end does not. Where only
that number differs, examples count as the same, and the table says so.

The exit code is 0 if every example agrees, or differs in what `EXPLAINED` tells.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

EXAMPLES = {
    "sll": "append:append create:sll delete:sll deleteAll:sll getLast:sll insert:sll merge:merge reverse:sll "
    "rotate:rotate search:sll search_nullderef:sll swap:sll",
    "sll/sll_cyclic": "append:append create:sll delete:sll deleteAll:sll getLast:sll insert:sll merge:merge "
    "reverse:sll reverse_fumble:sll rotate:rotate search:sll search_nullderef:sll swap:sll",
    "dll": "splice:splice",
    "gc": "mark:store sweep:storeAfterMark markAndSweep:store",
    "sll_sorting": "merge:merge reverse:sorted insertSort:sorted insertSort:unsorted insertSort_bug1:unsorted "
    "insertSort_bug2:unsorted bubbleSort:unsorted bubbleSort_bug:unsorted",
    "tree": "non_tree:non_tree DSW:DSW LDS:LDS InsertSorted3:InsertSorted3 InsertSorted2:InsertSorted2 "
    "InsertSorted:InsertSorted DeleteSorted2:DeleteSorted2 DeleteSorted:DeleteSorted Create3_freeSet:Create3_freeSet "
    "CreateUnsorted3_freeSet:CreateUnsorted3_freeSet CreateSorted3:CreateSorted3 "
    "CreateSorted3_freeSet:CreateSorted3_freeSet one_trees:one_trees two_trees:two_trees three_trees:three_trees "
    "four_trees:four_trees",
    "td/lists_acyclic": "deleteAll:sll insert:sll merge:merge odd_even_marking:sll_evenodd reverse:sll search:sll",
    "td/lists_cyclic": "insert:sll mutantBug:sll search:sll",
    "td/graphs": "mark:store markAndSweep:store",
    "td/interprocedural/app": "app:twoSll",
    "td/interprocedural/delete": "delete:oneSll",
    "td/interprocedural/insert": "insert:oneSll",
    "td/interprocedural/merge": "merge:twoSll",
    "td/interprocedural/reverse": "reverse:oneSll",
    "td/interprocedural/search": "search:oneSll",
    "td/sorting": "bubbleSort:unsorted insertSort:sorted insert_malloc:sorted",
    "td/trees": "delete_sorted:delete_sorted insert_sorted:insert_sorted",
    "td/concurrent": "treiberStack2:treiberStack2 mergeCAS:mergeCAS",
    "td/trees/rb_trees": "rb_insert:rb_insert rb_insert3:rb_insert3",
    "ambient": "esop:esop",
    "concurrent/mutex": "tmutex.tvm:tmutex tmutex_simple.tvm:tmutex_simple",
    "concurrent/readers_writers": "problem1.tvm:problem1",
    "concurrent/readers_writers/bounded": "problem1.tvm:problem1",
    "concurrent/readers_writers/seq": "problem1:problem1",
    "concurrent/apprentice": "apprentice.tvm:apprentice",
    "concurrent/interference": "intstack.tvm:intstack",
    "concurrent/twolockq": "twolockq.tvm:twolockq",
    "decomposition/nonblock_stack": "stack:stack",
    "decomposition/readers_writers_tvp": "problem1:problem1",
    "decomposition/tree": "k_trees:k_trees",
    "decomposition/lists_wcc": "k_prepend:k_prepend merge:merge",
    "decomposition/interproc/sll": "merge:merge",
}
PROPERTIES = {
    "sll/sll_cyclic": "sll_cyclic.properties",
    "sll_sorting": "sll_sorting.properties",
    "tree": "tree.properties",
    "td/lists_cyclic": "sll_cyclic.properties",
    "td/sorting": "sll_sorting.properties",
}

# What the two tools do differently, by (join, folder/program): why the numbers may differ there.
EXPLAINED: dict[tuple[str, str], str] = {}


@dataclass
class Run:
    """What one tool said about one example."""

    seconds: float
    processor: float = 0  # seconds of processors, of all threads
    locations: dict[str, int] = field(default_factory=dict)
    messages: Counter[str] = field(default_factory=Counter)  # TVLA writes those of printed locations alone
    message_count: int = 0
    total: int = 0
    stopped: str = ""  # timeout, breach or an error
    form: str = ""  # of heapwright's kernel

    @property
    def in_graph(self) -> int:
        return sum(self.locations.values())


LOCATION = re.compile(r"^(\S+):\s+(\d+)\s+structures\s+max graph", re.MULTILINE)
REFUSAL = "error: "  # in what heapwright says when it does not take a specification
TOTAL = re.compile(r"^Total number of structures\s*:\s*(\d+)", re.MULTILINE)
MESSAGES = re.compile(r"^Total number of messages\s*:\s*(\d+)", re.MULTILINE)
MESSAGE = re.compile(r'%message\s+"((?:[^"])*)"')


def plain(text: str) -> str:
    """Messages without the blanks and line breaks that only lay them out."""
    return " ".join(text.replace("\\n", " ").split())


@dataclass(frozen=True)
class Example:
    folder: str
    program: str
    initial: str
    join: str

    @property
    def name(self) -> str:
        return f"{self.folder}/{self.program}"

    @property
    def properties(self) -> str:
        return PROPERTIES.get(self.folder, "")


@dataclass(frozen=True)
class Bench:
    checkout: Path
    examples: Path  # a copy
    command: list[str]  # heapwright
    timeout: float

    def timed(self, command: list[str], folder: Path) -> tuple[float, float, str, str]:
        """Seconds (of an endless run: -1), those of processors, standard output and error."""
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(self.examples.parent / "bytecode")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # bytecode is kept, as for a program that is installed
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.perf_counter()
        try:
            done = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, timeout=self.timeout
            )
        except subprocess.TimeoutExpired:
            return -1, 0, "", ""
        seconds = time.perf_counter() - begin
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        return seconds, processor, done.stdout, done.stderr

    def tvla(self, example: Example) -> Run:
        folder = self.examples / example.folder
        command = ["java", "-Xmx2g", f"-Dtvla.home={self.checkout}", "-jar", str(self.checkout / "lib" / "tvla.jar")]
        options = ["-join", example.join, *(["-props", example.properties] if example.properties else [])]
        seconds, processor, output, errors = self.timed([*command, example.program, example.initial, *options], folder)
        if seconds < 0:
            return Run(self.timeout, stopped="timeout")
        output += errors
        result = Run(seconds, processor)
        result.locations = {label: int(count) for label, count in LOCATION.findall(output) if int(count)}
        total, messages = TOTAL.search(output), MESSAGES.search(output)
        if total is None:
            result.stopped = "memory" if "OutOfMemory" in output else "error"
            return result
        result.total = int(total[1])
        if "analysis has stopped" in output:
            result.stopped = "breach"
        result.message_count = int(messages[1]) if messages is not None else 0
        written = folder / f"{example.program}.out.tvs"
        if result.message_count and written.exists():
            result.messages = Counter(plain(text) for text in MESSAGE.findall(written.read_text(errors="replace")))
        return result

    def heapwright(self, example: Example) -> Run:
        options = ["--join", example.join, "--json", "-", "--timeout", "0", "--memory", "0"]
        if example.properties:
            options += ["--props", example.properties]
        command = [*self.command, "tvp", example.program, example.initial, *options]
        seconds, processor, output, errors = self.timed(command, self.examples / example.folder)
        if seconds < 0:
            return Run(self.timeout, stopped="timeout")
        try:
            answer = json.loads(output)
        except ValueError:
            said = [line for line in errors.splitlines() if REFUSAL in line] or ["error"]
            return Run(seconds, processor, stopped=said[0])
        result = Run(seconds, processor, form=answer.get("kernel", ""))
        result.total = answer["stats"]["structures_total"]
        result.locations = {label: count for label, count in answer["locations"].items() if count}
        for message in answer["messages"]:
            result.messages[plain(message["text"])] += message["times"]
        result.message_count = answer["stats"]["messages"]
        result.stopped = "breach" if answer["breach"] else ""
        return result


def differences(theirs: Run, ours: Run) -> list[str]:
    """What the two did not find alike; empty if nothing, or if one of them did not finish."""
    if "timeout" in (theirs.stopped, ours.stopped) or theirs.stopped == "memory":
        return []
    if ours.stopped != theirs.stopped:
        return [f"TVLA stops at {theirs.stopped or 'the fixpoint'}, heapwright at {ours.stopped or 'the fixpoint'}"]
    found = []
    labels = sorted(theirs.locations.keys() | ours.locations.keys())
    apart = [
        f"{label} {theirs.locations.get(label, 0)}/{ours.locations.get(label, 0)}"
        for label in labels
        if theirs.locations.get(label, 0) != ours.locations.get(label, 0)
    ]
    if apart:
        found.append(f"structures at {len(apart)} of {len(labels)} locations: " + ", ".join(apart[:3]))
    if theirs.message_count != ours.message_count:
        found.append(f"{theirs.message_count} and {ours.message_count} messages")
    if theirs.messages != ours.messages and sum(theirs.messages.values()) == theirs.message_count:
        found.append(f"messages {dict(theirs.messages - ours.messages)} / {dict(ours.messages - theirs.messages)}")
    return found


def measured(example: Example, bench: Bench, runs: int, budget: float) -> tuple[Run, Run, int]:
    """Median times over runs in turn, and how many; what does not finish in time runs once."""
    found: list[list[Run]] = [[], []]
    begin = time.monotonic()
    tools: list[Callable[[Example], Run]] = [bench.tvla, bench.heapwright]
    for turn in range(runs):
        if turn and time.monotonic() - begin > budget:
            break
        for kept, tool in zip(found, tools, strict=True):
            if turn == 0 or kept[0].stopped != "timeout":
                kept.append(tool(example))
    for kept in found:
        kept[0].seconds = statistics.median(run.seconds for run in kept)
        kept[0].processor = statistics.median(run.processor for run in kept)
    return found[0][0], found[1][0], max(map(len, found))


@dataclass
class Summary:
    """`ratios` has those of examples that both tools finish."""

    ratios: list[tuple[float, float, float]] = field(default_factory=list)  # TVLA's seconds, ratios of both times
    same: int = 0
    explained: list[str] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    forms: set[str] = field(default_factory=set)
    folders: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # what is said of each example

    def taken(self, example: Example, theirs: Run, ours: Run) -> str:
        """Counts an example, for its folder too."""
        remark = self.take(example, theirs, ours)
        refused = ours.stopped.partition(REFUSAL)[2]
        self.folders.setdefault(example.folder, []).append(
            (example.program, f"refused: {refused}" if refused else remark)
        )
        return remark

    def table(self) -> str:
        """A line of Markdown for each folder."""
        lines = ["| folder | examples | same | others |", "|---|---:|---:|---|"]
        for folder, found in self.folders.items():
            others = [f"{program}: {remark}" for program, remark in found if not remark.startswith("same")]
            lines.append(f"| `{folder}` | {len(found)} | {len(found) - len(others)} | {'; '.join(others)} |")
        return "\n".join(lines)

    def take(self, example: Example, theirs: Run, ours: Run) -> str:
        """Counts an example; returns what the table says of it."""
        self.forms |= {ours.form} - {""}
        name = f"{example.name} {example.initial} ({example.join})"
        stopped = [
            f"{tool}: {run.stopped}"
            for tool, run in (("TVLA", theirs), ("heapwright", ours))
            if run.stopped not in ("", "breach")
        ]
        if stopped:
            self.unfinished.append(f"{name}: {', '.join(stopped)}")
            return ", ".join(stopped)
        self.ratios.append((theirs.seconds, theirs.seconds / ours.seconds, theirs.processor / ours.processor))
        found = differences(theirs, ours)
        if not found and example.join == "rel" and theirs.total != ours.total:
            found = [f"{theirs.total} and {ours.total} structures in all"]
        if not found:
            self.same += 1
            return "same" if theirs.total == ours.total else "same, but in all, by the order"
        why = EXPLAINED.get((example.join, example.name))
        if why is None:
            self.unexplained.append(f"{name}: {'; '.join(found)}")
            return "; ".join(found)
        self.explained.append(f"{name}: {'; '.join(found)}. {why}")
        return "differs, explained below"

    def text(self) -> str:
        lines = [f"{self.same} the same, {len(self.explained)} explained, {len(self.unexplained)} unexplained"]
        if self.forms:
            lines.append(f"heapwright's kernel: {', '.join(sorted(self.forms))}")
        for least, which in ((0.0, "all"), (2.0, "those over 2 s"), (5.0, "those over 5 s")):
            rows = [row for row in self.ratios if row[0] > least]
            if rows:
                told = [
                    f"{name} median ratio {statistics.median(row[place] for row in rows):.1f}, "
                    f"least {min(row[place] for row in rows):.1f}"
                    for place, name in ((1, "elapsed"), (2, "processor"))
                ]
                lines.append(f"{which} ({len(rows)}): {'; '.join(told)}")
        for title, entries in (
            ("not finished", self.unfinished),
            ("explained", self.explained),
            ("unexplained", self.unexplained),
        ):
            lines += [f"{title}:", *(f"  {entry}" for entry in entries)] if entries else []
        return "\n".join(lines)


def run(arguments: argparse.Namespace) -> int:
    summary = Summary()
    titles = f"{'seconds':>15} {'ratio':>6} {'processor':>15} {'ratio':>6} runs"
    print(f"{'example':40} {'join':4} {'TVLA':>14} {'heapwright':>14} {titles}  compared")
    with tempfile.TemporaryDirectory() as scratch:
        examples = Path(scratch) / "examples"
        shutil.copytree(arguments.checkout / "examples", examples)
        bench = Bench(arguments.checkout.resolve(), examples, arguments.command.split(), arguments.timeout)
        bench.heapwright(Example("sll", "create", "sll", "rel"))  # writes the bytecode
        for example in wanted(arguments):
            theirs, ours, runs = measured(example, bench, arguments.runs, arguments.budget)
            remark = summary.taken(example, theirs, ours)
            ratio = f"{theirs.seconds / ours.seconds:.1f}"
            spent = f"{theirs.processor / ours.processor:.1f}" if theirs.processor and ours.processor else "-"
            print(
                f"{example.name + ' ' + example.initial:40} {example.join:4} "
                f"{theirs.total:7}/{theirs.in_graph:<6} {ours.total:7}/{ours.in_graph:<6} "
                f"{theirs.seconds:7.2f}/{ours.seconds:<7.2f} {ratio:>6} "
                f"{theirs.processor:7.2f}/{ours.processor:<7.2f} {spent:>6} {runs:>4}  {remark}",
                flush=True,
            )
    print(summary.text())
    if arguments.table is not None:
        arguments.table.write_text(summary.table() + "\n", encoding="utf-8")
    return 1 if summary.unexplained else 0


def wanted(arguments: argparse.Namespace) -> list[Example]:
    return [
        Example(folder, *pair.split(":"), join)
        for folder in arguments.folders.split(",")
        for pair in EXAMPLES[folder].split()
        for join in arguments.join.split(",")
        if arguments.only in f"{folder}/{pair}"
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--join", default="rel,part", help="rel, part or both with a comma")
    parser.add_argument("--folders", default=",".join(EXAMPLES))
    parser.add_argument("--only", default="", help="examples whose name contains this")
    parser.add_argument("--table", type=Path, help="write what was found in each folder, as Markdown")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds after which nothing is repeated")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run")
    beside = Path(sys.executable).with_name("heapwright")
    command = str(beside) if beside.exists() else f"{sys.executable} -m heapwright"
    parser.add_argument("--command", default=command, help="how heapwright is called")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
