"""How fast programs are executed: commands a second of the interpreter, of `explore` on the same run, and of a trace.

    python bench/interpreter.py [--turns 300 1000 3000 10000]

Each program takes a number of turns of one loop: over a list, over an array of integers, over bytes. Times are those of
the processor, so that they hardly depend on other work. Aims: `explore` takes at most twice the time of the untraced
interpreter and is linear in steps; a trace keeps 100,000 commands a second.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import TRACED_STEPS, Machine, narrated, run

PROGRAMS = {
    "list": """
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
    struct node *head = NULL;
    int sum = 0;
    for (int i = 0; i < TURNS; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i;
        node->next = head;
        head = node;
        if (i % 4 == 3) { struct node *dead = head->next; head->next = dead->next; sum += dead->value; free(dead); }
    }
    while (head) { struct node *next = head->next; sum += head->value; free(head); head = next; }
    return sum == 0;
}
""",
    "array": """
int main(void) {
    static int table[64];
    unsigned hash = 5381;
    for (int i = 0; i < TURNS; i++) {
        hash = hash * 33 + (unsigned)i;
        table[hash % 64] += 1;
        if (table[hash % 64] > 3) table[hash % 64] = 0;
    }
    return table[1] > 3;
}
""",
    "bytes": """
struct pair { int first; char *second; };
int main(void) {
    static char text[8];
    struct pair one = {1, text}, other;
    for (int i = 0; i < TURNS; i++) {
        unsigned char *to = (unsigned char *)&other, *from = (unsigned char *)&one;
        for (unsigned k = 0; k < sizeof one; k++) to[k] = from[k];
        other.second[i % 8] = (char)i;
    }
    return 0;
}
""",
}


def seconds(measured: Callable[[], object]) -> float:
    started = time.process_time()
    measured()
    return time.process_time() - started


def lowered(text: str, turns: int, folder: Path) -> Program:
    path = folder / "program.c"
    path.write_text(text.replace("TURNS", str(turns)))
    return build(Input((str(path),)), phase=lambda message: None)


def measure(program: Program) -> tuple[int, float, float, float]:
    """Steps; seconds of the interpreter, of `explore`, and of the trace of the last steps."""
    goal, steps = Goal(), 100_000_000
    ended = run(program, goal, RandomChoices(0), max_steps=steps)
    plain = seconds(lambda: run(program, goal, RandomChoices(0), max_steps=steps))
    explored = seconds(lambda: analyze(program, goal, "explore", Limits(), NullProgress()))
    traced = seconds(lambda: narrated(Machine(program, goal), ended, steps))
    return ended.length, plain, explored, traced - 2 * plain * max(0, ended.length - TRACED_STEPS) / ended.length


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, nargs="+", default=[300, 1000, 3000, 10000])
    options = parser.parse_args()
    print(f"{'program':8} {'turns':>7} {'steps':>9} {'commands/s':>11} {'explore':>8} {'times':>6} {'traced/s':>9}")
    with TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            for turns in options.turns:
                steps, plain, explored, traced = measure(lowered(text, turns, Path(folder)))
                kept = min(steps, TRACED_STEPS) / traced
                print(
                    f"{name:8} {turns:7,} {steps:9,} {steps / plain:11,.0f} {explored:6.2f} s {explored / plain:6.1f}"
                    f" {kept:9,.0f}"
                )


if __name__ == "__main__":
    main()
