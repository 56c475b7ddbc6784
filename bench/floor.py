"""How `recency` grows with a program: processor time after lowering, by lines of generated C.

    python bench/floor.py [--lines 1000,2000,...] [FILE.c ...]

A generated program repeats parts as people write them: a buffer that is filled, a table that is searched, a list that
is built and freed, an array of computed length. Files are measured as they are.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.result.outcomes import Verdict

HEAD = """#include <stdlib.h>
struct node { struct node *next; int value; };
struct vector { int *data; size_t length, room; };
extern int input(void);
static int total;
"""
PART = """
static int table_{n}[{n} % 17 + 16];
static void part_{n}(int count) {{
    char buffer[{n} % 50 + 20];
    size_t at;
    for (at = 0; at + 1 < sizeof buffer; at++)
        buffer[at] = (char)('a' + at % 26);
    buffer[at] = 0;
    for (int i = 0; i < {n} % 17 + 16; i++)
        if (table_{n}[i] == count)
            total += i;
    struct node *list = NULL;
    for (int i = 0; i < count; i++) {{
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = list;
        list = fresh;
    }}
    while (list) {{
        struct node *next = list->next;
        total += list->value;
        free(list);
        list = next;
    }}
    int *squares = malloc((count + 1) * sizeof *squares);
    for (int i = 0; i < count; i++)
        squares[i] = i * i;
    free(squares);
}}
"""


def generated(lines: int) -> str:
    parts = max(1, lines // (PART.count("\n") + 1))
    calls = "".join(f"    part_{n}(input());\n" for n in range(parts))
    return HEAD + "".join(PART.format(n=n) for n in range(parts)) + f"int main(void) {{\n{calls}    return total;\n}}\n"


def measured(path: Path) -> str:
    program = build(Input((str(path),)), lambda phase: None)
    start = time.process_time()
    result = run_engine(load_engine("recency"), program, Goal(), Limits(), NullProgress())
    seconds = time.process_time() - start
    proved = sum(outcome.verdict is Verdict.PROVED for outcome in result.outcomes)
    edges = len(program.graph.edges)
    return f"{edges}\t{seconds:.2f}\t{10_000 * seconds / edges:.2f}\t{proved} of {len(result.outcomes)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.c")
    parser.add_argument("--lines", default="250,500,1000,2000")
    arguments = parser.parse_args()
    print("program\tedges\tseconds\tper 10,000 edges\tproved")
    for path in arguments.files:
        print(f"{path.name}\t{measured(path)}")
    if arguments.files:
        return
    with tempfile.TemporaryDirectory() as folder:
        for lines in map(int, arguments.lines.split(",")):
            path = Path(folder) / f"{lines}_lines.c"
            path.write_text(generated(lines), encoding="utf-8")
            print(f"{lines} lines\t{measured(path)}", flush=True)


if __name__ == "__main__":
    main()
