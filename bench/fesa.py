"""What the engine fesa proves beside tvl, and how its cost grows with variables and fields.

    python bench/fesa.py table [--timeout 60]  list programs of tests/programs/structures under both engines
    python bench/fesa.py growth [-o growth.svg]  lists with 1 to 8 pointers into them, structs with 1 to 6 links
    python bench/fesa.py tvla CHECKOUT  the list of Table 2 under fesa, tvl, and TVLA (of a work tree of rumster/tvla)

Each program is analysed in a process of its own. Seconds are of processor time, of the analysis alone; memory is the
peak of the process. Asked about is whether pointers are valid where they are followed and freed. A step is one command
brought over one heap; the size of its formula is in nodes of its decision diagram, as it was when flags were forgotten.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "tests" / "programs" / "structures"
FOLDERS = ("sll", "dll", "queue", "circular")
ENGINES = ("fesa", "tvl")
VARIABLES = range(1, 9)
FIELDS = range(1, 7)
MOST_GROWTH = 30  # six variables may take so many times the time of two


# --- one program -----------------------------------------------------------------------------------------------------


def work(path: Path, engine: str, timeout: float) -> None:
    """What an engine says of a program, as one line of JSON."""
    from heapwright.analysis.judgement import run_engine
    from heapwright.analysis.pipeline import Input, build
    from heapwright.engines import load_engine
    from heapwright.engines.api import Limits, NullProgress
    from heapwright.program.checks import CheckKind, Goal
    from heapwright.result.outcomes import Verdict

    goal = Goal(kinds=frozenset(CheckKind) - {CheckKind.LEAK, CheckKind.SHAPE, CheckKind.ASSERT})
    loaded = load_engine(engine)
    with tempfile.TemporaryDirectory() as folder:  # the time to load modules is none of the analysis
        nothing = Path(folder) / "nothing.c"
        nothing.write_text("int main(void) { return 0; }\n", encoding="utf-8")
        run_engine(loaded, build(Input((str(nothing),)), lambda phase: None), goal, Limits(), NullProgress())
    program = build(Input((str(path),)), lambda phase: None)
    start = time.process_time()
    limits = Limits(deadline=time.monotonic() + timeout)
    result = run_engine(loaded, program, goal, limits, NullProgress())
    report = {
        "cpu": time.process_time() - start,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "proved": sum(outcome.verdict is Verdict.PROVED for outcome in result.outcomes),
        "checks": len(result.outcomes),
        "complete": result.complete,
        "stats": dict(result.stats),
    }
    print(json.dumps(report))


def measured(path: Path, engine: str, timeout: float) -> dict[str, Any]:
    command = [sys.executable, __file__, "work", str(path), engine, str(timeout)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# --- fesa beside tvl -------------------------------------------------------------------------------------------------


def table(timeout: float) -> None:
    print(f"{'program':28}" + "".join(f"{engine:>8} proved{'s':>8}{'MB':>6}" for engine in ENGINES))
    totals = dict.fromkeys(ENGINES, 0)
    paths = [path for folder in FOLDERS for path in sorted((PROGRAMS / folder).glob("*_ok.c"))]
    for path in paths:
        line = f"{path.parent.name + '/' + path.stem:28}"
        for engine in ENGINES:
            found = measured(path, engine, timeout)
            totals[engine] += found["proved"] == found["checks"]
            proved = f"{found['proved']}/{found['checks']}" if found["complete"] else "cut"
            line += f"{proved:>15}{found['cpu']:8.2f}{found['mb']:6.0f}"
        print(line, flush=True)
    print(", ".join(f"{engine}: {totals[engine]} of {len(paths)} programs proved" for engine in ENGINES))


# --- beside TVLA -----------------------------------------------------------------------------------------------------

TVP = HERE / "tvp" / "list.tvp"
LIST = HERE.parent / "src" / "heapwright" / "reproduce" / "fesa" / "programs" / "singly-linked-list.c"


def beside_tvla(checkout: Path, timeout: float) -> int:
    """Time of the analysis as each tool tells it, and warnings: checks of pointers that are open, or messages."""
    for engine in ENGINES:
        found = measured(LIST, engine, timeout)
        print(f"{engine:12}{1000 * found['cpu']:8.0f} ms{found['checks'] - found['proved']:6} warnings")
    jar = checkout / "lib" / "tvla.jar"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(TVP.parent, folder, dirs_exist_ok=True)
        command = ["java", f"-Dtvla.home={checkout}", "-jar", str(jar), TVP.stem, TVP.stem]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout, check=False)
    said = done.stdout + done.stderr
    seconds = re.search(r"Total analysis time\s*:\s*([\d.]+)", said)
    messages = re.search(r"Total number of messages\s*:\s*(\d+)", said)
    if seconds is None or messages is None:
        print(f"TVLA did not end as it should: {said[-300:]}")
        return 1
    print(f"{'TVLA':12}{1000 * float(seconds[1]):8.0f} ms{messages[1]:>6} warnings")
    return 0


# --- growth ----------------------------------------------------------------------------------------------------------

HEAD = """\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
"""


def with_variables(number: int) -> str:
    """A list, and so many pointers into it, each at or behind the one before."""
    names = [f"v{place}" for place in range(number)]
    walks = "".join(
        f"    struct node *{name} = {before};\n    while ({name} && __VERIFIER_nondet_int()) {name} = {name}->next;\n"
        for before, name in zip(["list", *names], names, strict=False)
    )
    uses = "".join(f"    if ({name}) {name}->next = {name}->next;\n" for name in names)
    return f"""{HEAD}
struct node {{ struct node *next; }};
int main(void) {{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {{
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
    }}
{walks}{uses}    return 0;
}}
"""


def with_fields(number: int) -> str:
    """Nodes with so many links to nodes made before, walked along any of them."""
    links = [f"link{place}" for place in range(number)]
    sets = "".join(f"        fresh->{link} = __VERIFIER_nondet_int() ? list : NULL;\n" for link in links)
    steps = "".join(f"        if (__VERIFIER_nondet_int()) {{ list = list->{link}; continue; }}\n" for link in links)
    return f"""{HEAD}
struct node {{ struct node {", ".join("*" + link for link in links)}; }};
int main(void) {{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {{
        struct node *fresh = malloc(sizeof *fresh);
{sets}        list = fresh;
    }}
    while (list) {{
{steps}        break;
    }}
    return 0;
}}
"""


@dataclass(frozen=True, slots=True)
class Point:
    number: int
    seconds: float
    steps: int
    size: float

    @property
    def per_step_ms(self) -> float:
        return 1000 * self.seconds / max(self.steps, 1)


def series(numbers: range, text: Callable[[int], str], timeout: float) -> list[Point]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            path = Path(folder) / f"growth_{number}.c"
            path.write_text(text(number), encoding="utf-8")
            best = min((measured(path, "fesa", timeout) for _ in range(2)), key=lambda seen: float(seen["cpu"]))
            if not best["complete"]:
                break
            stats = best["stats"]
            found.append(Point(number, best["cpu"], stats["iterations"], stats["average_size"]))
            point = found[-1]
            open_ = best["checks"] - best["proved"]
            print(
                f"{number:4}{point.seconds:9.3f}{point.steps:8}{point.per_step_ms:10.2f}{point.size:9.0f}{open_:6}",
                flush=True,
            )
    return found


def growth(output: Path, timeout: float) -> int:
    all_series = {}
    for title, numbers, text in (
        ("pointer variables into a list", VARIABLES, with_variables),
        ("pointer fields of a struct", FIELDS, with_fields),
    ):
        print(f"{title}\n   n  seconds   steps  ms/step  nodes  open")
        all_series[title] = series(numbers, text, timeout)
    output.write_text(drawing(all_series), encoding="utf-8")
    print(f"drawn to {output}")
    by_number = {point.number: point for point in all_series["pointer variables into a list"]}
    if not {2, 6} <= set(by_number):
        print("no time for six variables")
        return 1
    ratio = by_number[6].seconds / by_number[2].seconds
    print(f"six variables take {ratio:.1f} times as long as two (at most {MOST_GROWTH})")
    return ratio > MOST_GROWTH


# --- the plot --------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, MARGIN = 360, 240, 50


def drawing(all_series: dict[str, list[Point]]) -> str:
    """Two columns, one for each series; above the time of a step, below the size of its formula."""
    panels = []
    for column, (title, points) in enumerate(all_series.items()):
        rows = (("ms per step", [p.per_step_ms for p in points]), ("nodes per formula", [p.size for p in points]))
        for row, (label, values) in enumerate(rows):
            numbers = [point.number for point in points]
            panels.append(panel(column * WIDTH, row * HEIGHT, title, label, numbers, values))
    size = f'width="{WIDTH * len(all_series)}" height="{HEIGHT * 2}"'
    style = "<style>text{font:11px sans-serif}path{fill:none;stroke:#06c;stroke-width:2}line{stroke:#999}</style>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{style}{"".join(panels)}</svg>\n'


def panel(x: int, y: int, title: str, label: str, numbers: list[int], values: list[float]) -> str:
    top, last = max([*values, 1e-9]), max([*numbers, 2])
    inner_width, inner_height = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN

    def place(number: float, value: float) -> tuple[float, float]:
        across = (number - 1) / (last - 1)
        return x + MARGIN + across * inner_width, y + MARGIN + (1 - value / top) * inner_height

    spots = [place(number, value) for number, value in zip(numbers, values, strict=True)]
    (left, bottom), (right, _) = place(1, 0), place(last, 0)
    parts = [
        f'<text x="{left}" y="{y + MARGIN - 20}">{label}, by {title}</text>',
        f'<line x1="{left}" y1="{bottom}" x2="{right}" y2="{bottom}"/>',
        f'<line x1="{left}" y1="{bottom}" x2="{left}" y2="{y + MARGIN}"/>',
        f'<text x="{left - 5}" y="{y + MARGIN + 4}" text-anchor="end">{top:.3g}</text>',
        f'<text x="{left - 5}" y="{bottom}" text-anchor="end">0</text>',
        *(
            f'<text x="{place(number, 0)[0]:.1f}" y="{bottom + 15}" text-anchor="middle">{number}</text>'
            for number in numbers
        ),
        '<path d="' + " ".join(f"{'L' if i else 'M'}{a:.1f},{b:.1f}" for i, (a, b) in enumerate(spots)) + '"/>',
    ]
    return "".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("work")
    one.add_argument("path", type=Path)
    one.add_argument("engine")
    one.add_argument("timeout", type=float)
    side = commands.add_parser("table", help="fesa beside tvl")
    side.add_argument("--timeout", type=float, default=60)
    grow = commands.add_parser("growth", help="time and size by variables and fields")
    grow.add_argument("-o", "--output", type=Path, default=Path("growth.svg"))
    grow.add_argument("--timeout", type=float, default=120)
    other = commands.add_parser("tvla", help="fesa beside tvl and TVLA")
    other.add_argument("checkout", type=Path)
    other.add_argument("--timeout", type=float, default=120)
    arguments = parser.parse_args()
    if arguments.command == "work":
        work(arguments.path, arguments.engine, arguments.timeout)
        return 0
    if arguments.command == "table":
        table(arguments.timeout)
        return 0
    if arguments.command == "tvla":
        return beside_tvla(arguments.checkout, arguments.timeout)
    return growth(arguments.output, arguments.timeout)


if __name__ == "__main__":
    sys.exit(main())
