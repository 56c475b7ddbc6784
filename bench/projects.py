"""What a project costs beside its analyses: processor time, speed-up, memory, by the number of generated units.

    python bench/projects.py [--units 100,400] [--jobs 1,2] [--parts 1] [--engine explore] [--again]

Each unit builds and frees so many lists. *Warm* is the same work one unit after the other in one process, which has
imported everything: what a unit costs above that is overhead. Processor times hardly depend on other work; the time of
the clock, of which speed-up is a ratio, needs a machine that does nothing else. A second run is served from the store.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HEAD = """#include <stdlib.h>
struct node { struct node *next; int value; };
"""
PART = """
static int part_{number}(int length) {{
    struct node *list = 0;
    for (int i = 0; i < length; i++) {{
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = list;
        list = fresh;
    }}
    int total = {number};
    while (list) {{
        struct node *rest = list->next;
        total += list->value;
        free(list);
        list = rest;
    }}
    return total;
}}
"""
COMMAND = """
import json, resource, sys, time
from heapwright.cli import main
begin = time.monotonic()
code = main(["project", sys.argv[1], "--timeout", "60", "-q", *sys.argv[2:]])
own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
seconds = [one.ru_utime + one.ru_stime for one in (own, others)]
print(json.dumps([code, time.monotonic() - begin, *seconds, own.ru_maxrss / 1024]))
"""


@dataclass(frozen=True)
class Cost:
    """Seconds of the clock and of the processor, in the parent and in its children; megabytes of the parent."""

    clock: float
    parent: float
    children: float
    memory: float


def make_tree(folder: Path, units: int, parts: int = 1) -> Path:
    folder.mkdir()
    for number in range(units):
        names = range(number, number + parts)
        calls = " + ".join(f"part_{name}({2 + name % 7})" for name in names)
        text = HEAD + "".join(PART.format(number=name) for name in names)
        text += f"int main(void) {{ return {calls} == -1; }}\n"
        (folder / f"u{number}.c").write_text(text, encoding="utf-8")
    return folder


def run(tree: Path, store: Path, jobs: int, engine: str) -> Cost:
    words = [sys.executable, "-c", COMMAND, str(tree), "--store", str(store), "-j", str(jobs), "--engine", engine]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    code, *numbers = json.loads(done.stdout.splitlines()[-1])
    if code:
        raise SystemExit(f"exit code {code}: {done.stdout}{done.stderr}")
    return Cost(*numbers)


def warm(tree: Path, engine: str, most: int = 100) -> float:
    """Processor seconds of a unit in a process that has imported everything."""
    from heapwright.analysis.pipeline import Input, Snapshot
    from heapwright.analysis.supervisor import Job
    from heapwright.c.options import ParseOptions
    from heapwright.project.running.work import UnitTask, preload

    preload(engine)
    files = sorted(map(str, tree.glob("*.c")))[:most]
    begin = time.process_time()
    for file in files:
        snapshot = Snapshot((ParseOptions(),), {file: Path(file).read_bytes()})
        UnitTask(Job(Input((file,), snapshot=snapshot), engine=engine, timeout=60.0), str(tree))(lambda one: None)
    return (time.process_time() - begin) / len(files)


def measure(folder: Path, units: int, arguments: argparse.Namespace) -> None:
    tree, jobs, engine = make_tree(folder / f"t{units}", units, arguments.parts), arguments.jobs, arguments.engine
    analysis = warm(tree, engine)
    clocks = {}
    for count in jobs:
        store = folder / f"s{units}-{count}.sqlite"
        cost = run(tree, store, count, engine)
        clocks[count] = cost.clock
        each = 1000 * (cost.parent + cost.children) / units
        print(
            f"{units} units, -j{count}: {cost.clock:.1f} s; processor {cost.parent:.1f} s parent, {cost.children:.1f} s"
            f" children, {each:.1f} ms a unit, of which {1000 * analysis:.1f} ms warm: overhead"
            f" {each - 1000 * analysis:.1f} ms; parent {cost.memory:.0f} MB",
            flush=True,
        )
        if arguments.again:
            second = run(tree, store, count, engine)
            print(
                f"    second run: {second.clock:.2f} s, processor {second.parent + second.children:.2f} s", flush=True
            )
    if len(clocks) > 1:
        print(f"    -j{jobs[-1]} is {clocks[jobs[0]] / clocks[jobs[-1]]:.2f} times as fast as -j{jobs[0]}", flush=True)


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=_numbers, default=[100, 400])
    parser.add_argument("--jobs", type=_numbers, default=[1])
    parser.add_argument("--parts", type=int, default=1, help="lists of a unit")
    parser.add_argument("--engine", default="explore")
    parser.add_argument("--again", action="store_true", help="run each a second time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o700)
        for units in arguments.units:
            measure(Path(folder), units, arguments)


if __name__ == "__main__":
    main()
