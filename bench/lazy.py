"""What laziness buys: lists that nobody looks at, added to a program whose one list is checked.

    python bench/lazy.py [--lists 5] [--timeout 60] [-o lazy.svg]

The program builds a list of 1s, then 2s, then a 3 and checks it, as `list` of `heapwright reproduce lazy` does; before
that, it builds any number of unrelated lists of the same struct. Both configurations analyse each program in a process
of its own: `lazy` tracks shapes where a proof needs them, `always` tracks everything. Seconds are of processor time, of
the analysis alone, the best of three for short ones. With five lists, the time of `lazy` must grow less than 1.5 times,
and that of `always` at least 3 times (or run out of time); else the exit code is 1.

Lists that are built between building the first one and checking it cost `lazy` more, since all that is known of the
first one has to be carried past them; how much its time grows then is printed, too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

MODES = ("lazy", "always")
MOST_LAZY, LEAST_ALWAYS = 1.5, 3.0
SHORT = 5.0  # seconds
LIST = """
    struct node *b{0} = NULL;
    while (__VERIFIER_nondet_int()) {{
        struct node *t = malloc(sizeof *t);
        t->h = {0};
        t->n = b{0};
        b{0} = t;
    }}"""
PROGRAM = """#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {{ int h; struct node *n; }};
int main(void) {{{0}
    struct node *a = malloc(sizeof *a), *p = a;
    while (__VERIFIER_nondet_int()) {{
        p->h = 1;
        p->n = malloc(sizeof *p);
        p = p->n;
    }}
    while (__VERIFIER_nondet_int()) {{
        p->h = 2;
        p->n = malloc(sizeof *p);
        p = p->n;
    }}
    p->h = 3;
    p->n = NULL;{1}
    p = a;
    while (p->h == 1)
        p = p->n;
    while (p->h == 2)
        p = p->n;
    assert(p->h == 3);
    return 0;
}}
"""


def text(lists: int, *, between: bool = False) -> str:
    more = "".join(LIST.format(number) for number in range(2, lists + 2))
    return PROGRAM.format("", more) if between else PROGRAM.format(more, "")


def work(path: Path, mode: str, timeout: float) -> None:
    """What the engine says of a program, as one line of JSON."""
    from heapwright.analysis.judgement import run_engine
    from heapwright.analysis.pipeline import Input, build
    from heapwright.engines import load_engine
    from heapwright.engines.api import Limits, NullProgress
    from heapwright.program.checks import CheckKind, Goal

    goal = Goal(frozenset(CheckKind) - {CheckKind.LEAK})
    engine = load_engine("lazy", {"shapes": mode})
    program = build(Input((str(path),)), lambda phase: None)
    run_engine(engine, program, goal, Limits(deadline=time.monotonic()), NullProgress())  # modules are loaded by now
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        result = run_engine(engine, program, goal, Limits(deadline=time.monotonic() + timeout), NullProgress())
        best = min(best, time.process_time() - start)
        if best > SHORT:
            break
    report = {"cpu": best, "verdict": result.verdict.value, **result.stats}
    print(json.dumps(report))


def measured(lists: int, mode: str, timeout: float, *, between: bool = False) -> dict[str, float | str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lists.c"
        path.write_text(text(lists, between=between), encoding="utf-8")
        command = [sys.executable, __file__, "--work", str(path), mode, "--timeout", str(timeout)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * timeout + 60, check=True)
    found: dict[str, float | str] = json.loads(done.stdout)
    return found


def svg(points: dict[str, list[float]]) -> str:
    """The times over the number of lists: a line for each configuration."""
    width, height, margin = 480, 300, 40
    most = max(value for line in points.values() for value in line)
    count = max(len(line) for line in points.values()) - 1 or 1
    drawn = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">']
    for (mode, line), colour in zip(points.items(), ("#1b7837", "#762a83"), strict=True):
        places = [
            (margin + i * (width - 2 * margin) / count, height - margin - value / most * (height - 2 * margin))
            for i, value in enumerate(line)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = places[-1]
        drawn.append(f'<text x="{x - 60:.1f}" y="{y - 6:.1f}" fill="{colour}" font-size="12">{mode}</text>')
    drawn.append(f'<text x="{margin}" y="{height - 10}" font-size="12">unrelated lists, 0 to {count}</text>')
    drawn.append(f'<text x="{margin}" y="20" font-size="12">seconds, up to {most:.1f}</text></svg>')
    return "\n".join(drawn) + "\n"


def table(lists: int, timeout: float, output: Path | None) -> int:
    points: dict[str, list[float]] = {mode: [] for mode in MODES}
    print("lists  " + "  ".join(f"{mode:>8} s   verdict  tracked  shape operations" for mode in MODES))
    for number in range(lists + 1):
        cells = []
        for mode in MODES:
            found = measured(number, mode, timeout)
            points[mode].append(float(found["cpu"]))
            tracked, operations = found.get("tracked_pointers", 0), found.get("shape_operations", 0)
            cells.append(f"{found['cpu']:>8.2f} s  {found['verdict']:>8}  {tracked:>7}  {operations:>16}")
        print(f"{number:>5}  " + "  ".join(cells), flush=True)
    if output is not None:
        output.write_text(svg(points), encoding="utf-8")
    growth = {mode: line[-1] / line[0] for mode, line in points.items()}
    print(f"growth: lazy {growth['lazy']:.2f} times, always {growth['always']:.2f} times")
    between = float(measured(lists, "lazy", timeout, between=True)["cpu"]) / points["lazy"][0]
    print(f"with the lists between building the first one and checking it: lazy {between:.2f} times")
    return 0 if growth["lazy"] < MOST_LAZY and growth["always"] >= LEAST_ALWAYS else 1


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", type=int, default=5)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.work:
        work(Path(options.work[0]), options.work[1], options.timeout)
        return 0
    return table(options.lists, options.timeout, options.output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
