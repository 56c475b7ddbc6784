"""Run TVLA and heapwright on TVLA's own examples, compare what they find, and print the table.

    python bench/tvla.py CHECKOUT [--join rel|part] [--folders sll,dll,...] [--only WORD] [--runs 1] [--timeout 120]

CHECKOUT is a work tree of the repository rumster/tvla, with lib/tvla.jar; Java must be on the path. For each example:
the number of structures in the graph of both, whether the numbers agree at every location, whether the messages do
(text and number), and the time of the whole command (median of --runs), start of the machine included.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
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
}
PROPERTIES = {
    "sll/sll_cyclic": "sll_cyclic.properties",
    "sll_sorting": "sll_sorting.properties",
    "tree": "tree.properties",
}


@dataclass
class Run:
    """What one tool said about one example."""

    seconds: float
    locations: dict[str, int] = field(default_factory=dict)
    messages: Counter[str] = field(default_factory=Counter)  # TVLA writes those of printed locations alone
    message_count: int = 0
    total: int = 0
    stopped: str = ""  # timeout, breach or an error

    @property
    def in_graph(self) -> int:
        return sum(self.locations.values())


LOCATION = re.compile(r"^(\S+):\s+(\d+)\s+structures\s+max graph", re.MULTILINE)
TOTAL = re.compile(r"^Total number of structures\s*:\s*(\d+)", re.MULTILINE)
MESSAGES = re.compile(r"^Total number of messages\s*:\s*(\d+)", re.MULTILINE)
MESSAGE = re.compile(r'%message\s+"((?:[^"])*)"')


def plain(text: str) -> str:
    """Messages without the blanks and line breaks that only lay them out."""
    return " ".join(text.replace("\\n", " ").split())


def run_tvla(checkout: Path, folder: Path, program: str, initial: str, options: list[str], timeout: float) -> Run:
    command = ["java", "-Xmx2g", f"-Dtvla.home={checkout}", "-jar", str(checkout / "lib" / "tvla.jar")]
    begin = time.perf_counter()
    try:
        done = subprocess.run(
            [*command, program, initial, *options], cwd=folder, capture_output=True, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return Run(timeout, stopped="timeout")
    result = Run(time.perf_counter() - begin)
    output = done.stdout + done.stderr
    result.locations = {label: int(count) for label, count in LOCATION.findall(output) if int(count)}
    total, messages = TOTAL.search(output), MESSAGES.search(output)
    if total is None:
        result.stopped = "error"
        return result
    result.total = int(total[1])
    if "analysis has stopped" in output:
        result.stopped = "breach"
    result.message_count = int(messages[1]) if messages is not None else 0
    written = folder / f"{program}.out.tvs"
    if result.message_count and written.exists():
        result.messages = Counter(plain(text) for text in MESSAGE.findall(written.read_text(errors="replace")))
    return result


def run_heapwright(folder: Path, program: str, initial: str, join: str, properties: str, timeout: float) -> Run:
    # Bytecode is kept, as it is for a program that is installed.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder.parents[folder.parts[::-1].index("examples")])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    begin = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, __file__, "--worker", program, initial, join, properties],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return Run(timeout, stopped="timeout")
    result = Run(time.perf_counter() - begin)
    if done.returncode:
        result.stopped = (done.stderr.strip().splitlines() or ["error"])[-1]
        return result
    answer = json.loads(done.stdout)
    result.locations = {label: count for label, count in answer["locations"].items() if count}
    result.messages = Counter({plain(text): times for text, times in answer["messages"].items()})
    result.message_count = sum(answer["messages"].values())
    result.total = answer["total"]
    result.stopped = "breach" if answer["breach"] else ""
    return result


def work(program: str, initial: str, join: str, properties: str) -> None:
    """One run of heapwright, in this process; prints what it found as JSON."""
    from heapwright.engines.tvl.analysis import Options, run
    from heapwright.tvp.read import read_program, read_structures

    specification = read_program(program, properties=[properties] if properties else [])
    structures = read_structures(initial, specification)
    options = specification.options
    outcome = run(
        specification.vocabulary_with(structures),
        specification.constraints,
        specification.graph,
        structures,
        Options(
            join="rel" if join == "rel" else "part",
            automatic=options["tvla.generateAutomaticConstraints"] == "true",
            differencing=options["tvla.differencing.difference"] == "true",
        ),
    )
    messages: Counter[str] = Counter()
    for report in outcome.messages:
        messages[report.text] += report.times
    counts = {label: len(found) for label, found in zip(specification.labels, outcome.structures, strict=True)}
    answer = {
        "locations": counts,
        "messages": messages,
        "total": outcome.structures_total,
        "breach": outcome.breach is not None,
        "complete": outcome.complete,
    }
    print(json.dumps(answer))
    sys.stdout.flush()
    os._exit(0)  # a process that is done need not take its memory apart


def compared(theirs: Run, ours: Run) -> str:
    if theirs.stopped == "timeout" or ours.stopped == "timeout":
        return "timeout of " + " and ".join(
            name for name, run in (("TVLA", theirs), ("heapwright", ours)) if run.stopped == "timeout"
        )
    if ours.stopped != theirs.stopped:
        return f"stops: TVLA {theirs.stopped or 'at the fixpoint'}, heapwright {ours.stopped or 'at the fixpoint'}"
    remarks = []
    labels = sorted(theirs.locations.keys() | ours.locations.keys())
    apart = [
        f"{label} {theirs.locations.get(label, 0)}/{ours.locations.get(label, 0)}"
        for label in labels
        if theirs.locations.get(label, 0) != ours.locations.get(label, 0)
    ]
    if apart:
        remarks.append("locations " + ", ".join(apart[:6]) + (", ..." if len(apart) > 6 else ""))
    if theirs.message_count != ours.message_count:
        remarks.append(f"{theirs.message_count} and {ours.message_count} messages")
    if theirs.messages != ours.messages and sum(theirs.messages.values()) == theirs.message_count:
        remarks.append(f"messages {dict(theirs.messages - ours.messages)} / {dict(ours.messages - theirs.messages)}")
    return "; ".join(remarks) or "same"


def median(runs: list[Run]) -> Run:
    middle = runs[-1]
    middle.seconds = statistics.median(run.seconds for run in runs)
    return middle


def bench(arguments: argparse.Namespace) -> int:
    checkout = arguments.checkout.resolve()
    ratios, same, count = [], 0, 0
    print(f"{'example':42} {'TVLA':>13} {'heapwright':>13} {'seconds':>17} {'ratio':>6}  compared")
    with tempfile.TemporaryDirectory() as scratch:
        examples = Path(scratch) / "examples"
        shutil.copytree(checkout / "examples", examples)
        run_heapwright(examples / "sll", "create", "sll", "rel", "", arguments.timeout)  # writes the bytecode
        for name in arguments.folders.split(","):
            properties = PROPERTIES.get(name, "")
            for pair in EXAMPLES[name].split():
                program, initial = pair.split(":")
                if arguments.only and arguments.only not in f"{name}/{program}":
                    continue
                options = ["-join", arguments.join, *(["-props", properties] if properties else [])]
                folder, limit = examples / name, arguments.timeout
                theirs = median(
                    [run_tvla(checkout, folder, program, initial, options, limit) for _ in range(arguments.runs)]
                )
                ours = median(
                    [
                        run_heapwright(folder, program, initial, arguments.join, properties, limit)
                        for _ in range(arguments.runs)
                    ]
                )
                ratio = theirs.seconds / ours.seconds
                verdict = compared(theirs, ours)
                count += 1
                same += verdict == "same"
                ratios.append(ratio)
                print(
                    f"{name + '/' + program + ' ' + initial:42} {theirs.total:6}/{theirs.in_graph:<6} "
                    f"{ours.total:6}/{ours.in_graph:<6} {theirs.seconds:8.2f}/{ours.seconds:<8.2f} {ratio:6.1f}  "
                    f"{verdict}",
                    flush=True,
                )
    if ratios:
        print(f"{same} of {count} the same; heapwright is {statistics.median(ratios):.1f} times as fast on the median")
    return 0 if same == count else 1


def main() -> int:
    if sys.argv[1:2] == ["--worker"]:
        work(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--join", choices=("rel", "part"), default="rel")
    parser.add_argument("--folders", default=",".join(EXAMPLES))
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=120)
    return bench(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
