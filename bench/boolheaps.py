"""How Boolean heaps are stored: sets of ternary vectors and decision diagrams (bench/diagrams.py), on equal fixpoints.

    python bench/boolheaps.py [--packages oxidd,cudd,autoref] [program...]

Each program is analysed once, and its Boolean heap program kept: its rules, with nothing left to ask a prover. Then the
fixpoint runs on them once for each way of storing heaps, over steps that have been compiled, and its processor time is
taken (the best of five). Heaps and alarms must be the same, location by location; else the exit code is 1. Sizes are of
all heaps at the end, and of the largest: vectors, nodes of diagrams (those of all heaps are shared), and nodes of
diagrams that have one variable a predicate (`short`), with which an analysis would not know what it left open.

`oxidd` is installed with heapwright; the others (`cudd` in C, `autoref` in Python) come with the package dd, and are
left out where it is missing.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from diagrams import PACKAGES, Diagram, Diagrams

from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap.domain.vectors import BooleanHeap, Vector
from heapwright.engines.boolheap.engine import BoolHeap
from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.predicates.ghost_predicates import ghosts
from heapwright.engines.boolheap.program_text import deserialize, serialize
from heapwright.engines.boolheap.typing.followed_program import FollowedProgram
from heapwright.program.checks import Goal
from heapwright.reproduce.boolheaps.measure import CHECKS, GHOSTS
from heapwright.reproduce.isolated_measurement import program_of

PROGRAMS = (
    *("create", "traverse", "search", "reverse", "append", "insert", "delete"),
    *("dll_insert", "dll_delete", "tree_search"),
)
REPEATED = 5
Made = Callable[[Iterable[Vector]], BooleanHeap]  # a heap of a kind


@dataclass(frozen=True)
class Ran:
    seconds: float
    analysis: Analysis

    def heaps(self) -> dict[int, set[frozenset[Vector]]]:
        return {place: {frozenset(one) for one in known.values()} for place, known in self.analysis.at.items()}

    def all(self) -> list[BooleanHeap]:
        return [one for known in self.analysis.at.values() for one in known.values()]


def text_of(name: str) -> str:
    """The Boolean heap program of one of the programs, from an analysis with all rules that it asks for."""
    engine = BoolHeap(ghosts=ghosts(*GHOSTS.get(name, ((), ()))))
    limits = Limits(deadline=time.monotonic() + 300)
    best = engine.refinement_loop(
        FollowedProgram(program_of("boolheaps", name)), Goal(CHECKS), limits, NullProgress()
    ).best
    assert best.complete, f"{name} was not analysed in time"
    return serialize(best.program, best.deductions)


def fixpoint(text: str, of: Made | None) -> Ran:
    """One run; without a way of making heaps they are what the engine makes."""
    program, rules = deserialize(text)
    if of is not None:
        program = replace(program, initial=of(program.initial))
    analysis = Analysis(program, rules, Limits(), NullProgress())
    for number in range(len(program.graph.edges)):
        analysis.steps(number)
    begin = time.process_time()
    analysis.run()
    return Ran(time.process_time() - begin, analysis)


def best_of(text: str, of: Callable[[], Made | None]) -> Ran:
    return min((fixpoint(text, of()) for _ in range(REPEATED)), key=lambda one: one.seconds)


def nodes(heaps: Sequence[BooleanHeap]) -> tuple[int, int]:
    """Of all diagrams together, and of the largest."""
    drawn = [one for one in heaps if isinstance(one, Diagram)]
    diagrams = drawn[0].diagrams
    return diagrams.shared(one.function for one in drawn), max(diagrams.package.nodes(one.function) for one in drawn)


def short_nodes(heaps: Sequence[BooleanHeap]) -> int:
    """Of all heaps together, with one variable for each predicate."""
    diagrams = Diagrams("oxidd")
    return diagrams.shared([diagrams.short(one) for one in heaps])


def compared(name: str, packages: Sequence[str]) -> tuple[bool, list[float]]:
    """Prints one line; whether all agree, and how many times as long as vectors each package takes."""
    text = text_of(name)
    plain = best_of(text, lambda: None)
    sizes = [len(one) for one in plain.all()]
    cells = [f"{name:<12} {len(sizes):>5} {1000 * plain.seconds:>7.0f} ms {sum(sizes):>6} {max(sizes):>4}"]
    cells[0] += f" {short_nodes(plain.all()):>6}"
    agrees, ratios = True, []
    for package in packages:
        ran = best_of(text, lambda package=package: Diagrams(package).of)
        agrees &= ran.heaps() == plain.heaps() and ran.analysis.alarms.keys() == plain.analysis.alarms.keys()
        ratios.append(ran.seconds / plain.seconds)
        every, largest = nodes(ran.all())
        cells.append(f"{ratios[-1]:>6.1f} times {every:>6} {largest:>5}")
    print("  ".join(cells), " same" if agrees else " DIFFERENT", flush=True)
    return agrees, ratios


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    parser.add_argument("--packages", default=",".join(PACKAGES))
    options = parser.parse_args(arguments)
    there = importlib.util.find_spec("dd") is not None
    packages = [one for one in options.packages.split(",") if one == "oxidd" or there]
    heading = "  ".join(f"{package:>12} {'nodes':>6} {'most':>5}" for package in packages)
    print(f"{'program':<12} {'heaps':>5} {'vectors':>10} {'all':>6} {'most':>4} {'short':>6}  {heading}")
    found = [compared(name, packages) for name in options.programs]
    for place, package in enumerate(packages):
        ratios = sorted(ratios[place] for _, ratios in found)
        print(f"{package}: {ratios[0]:.1f} to {ratios[-1]:.1f} times the time of vectors")
    agree = all(agrees for agrees, _ in found)
    print("heaps and alarms are the same everywhere" if agree else "heaps or alarms differ")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
