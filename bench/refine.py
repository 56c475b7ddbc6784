"""Both ways of refining, in one run: what they prove, how many structures they keep, and how long they take.

    python bench/refine.py [--embedding strict] [--only lists/,dll/,...] [--timeout 60] [--tvla CHECKOUT]

Runs the engine `tvl` on the C programs under tests/programs and, given a work tree of the repository rumster/tvla, on
TVLA's own examples, once with `--focus formula` and once with `--focus meet`. Times are those of the processor, so
that other work on the machine counts little. The exit code is 0 if both ways found the same wherever both came to an
end: for programs the verdict of every check, for examples the messages.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]  # what tests and the comparison with TVLA already know

from support.collection import name_of, programs  # noqa: E402
from tvla import EXAMPLES, PROPERTIES  # noqa: E402

from heapwright.analysis.judgement import run_engine  # noqa: E402
from heapwright.analysis.pipeline import build  # noqa: E402
from heapwright.base.errors import HeapwrightError  # noqa: E402
from heapwright.engines.api import Limits, NullProgress  # noqa: E402
from heapwright.engines.tvl.engine import Tvl  # noqa: E402
from heapwright.engines.tvl.fixpoint import Options, run  # noqa: E402
from heapwright.engines.tvl.focus.strategies import REFINEMENTS, RefineKind  # noqa: E402
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind  # noqa: E402
from heapwright.settings.properties import goal_of  # noqa: E402
from heapwright.testing.expectations import read  # noqa: E402
from heapwright.tvp.reader import read_program, read_structures  # noqa: E402

FOLDERS = "lists/,dll/,circular/,trees/,structures/"


@dataclass(frozen=True)
class Row:
    """What one way found about one subject."""

    found: tuple[object, ...]
    word: str
    structures: int
    complete: bool
    seconds: float


Subject = tuple[str, Callable[[RefineKind], Row]]


def program_row(path: Path, embedding: EmbeddingKind, timeout: float, refine: RefineKind) -> Row:
    expected = read(path)
    program, goal = build(expected.input(path), lambda phase: None), goal_of(expected.properties)
    start = time.process_time()
    limits = Limits(deadline=time.monotonic() + timeout)
    result = run_engine(Tvl(embedding=embedding, focus=refine), program, goal, limits, NullProgress())
    seconds = time.process_time() - start
    found = tuple(outcome.verdict for outcome in result.outcomes)
    structures = int(result.stats.get("structures_in_graph", 0))
    return Row(found, result.verdict.value, structures, result.complete, seconds)


def example_row(
    folder: Path, properties: tuple[str, ...], pair: str, embedding: EmbeddingKind, timeout: float, refine: RefineKind
) -> Row:
    os.chdir(folder)
    program, _, initial = pair.partition(":")
    specification = read_program(f"{program}.tvp", properties=properties)
    structures = read_structures(f"{initial}.tvs", specification)
    start = time.process_time()
    outcome = run(
        specification.vocabulary_with(structures),
        specification.constraints,
        specification.graph,
        structures,
        Options(join="rel", embedding=embedding, refine=refine),
        limits=Limits(deadline=time.monotonic() + timeout),
    )
    seconds = time.process_time() - start
    found = tuple((m.location, m.text, m.definite > 0) for m in outcome.messages)
    return Row(found, f"{len(found)} said", outcome.structures_in_graph, outcome.complete, seconds)


def subjects(arguments: argparse.Namespace) -> Iterator[Subject]:
    wanted = tuple(arguments.only.split(","))
    common = arguments.embedding, arguments.timeout
    for path in programs():
        if name_of(path).startswith(wanted):
            yield name_of(path), partial(program_row, path, *common)
    if arguments.tvla is not None:
        for name, pairs in EXAMPLES.items():
            folder = arguments.tvla.resolve() / "examples" / name
            properties = (PROPERTIES[name],) if name in PROPERTIES else ()
            for pair in pairs.split():
                yield f"{name}/{pair}", partial(example_row, folder, properties, pair, *common)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare refinement by formula and by meet.")
    parser.add_argument("--embedding", choices=("strict", "loose"), default="strict")
    parser.add_argument("--only", default=FOLDERS, help=f"names of programs begin with one of these ({FOLDERS})")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--tvla", type=Path, help="a work tree of rumster/tvla")
    print(f"{'':44} {'formula':>8} {'meet':>8}   {'structures':>15}   {'seconds':>15}")
    pairs: list[tuple[Row, Row]] = []
    for name, row in subjects(parser.parse_args()):
        try:
            formula, meet = (row(refine) for refine in REFINEMENTS)
        except HeapwrightError as error:
            print(f"{name:44} {error}")
            continue
        both = formula.complete and meet.complete
        note = "not followed" if not formula.structures else "no end" if not both else ""
        if both and formula.found != meet.found:
            note = "DIFFERENT"
        words = f"{formula.word:>8} {meet.word:>8}"
        counts = f"{formula.structures:7} {meet.structures:7}"
        print(f"{name:44} {words}   {counts}   {formula.seconds:7.2f} {meet.seconds:7.2f} {note}", flush=True)
        if both:
            pairs.append((formula, meet))
    differing = sum(formula.found != meet.found for formula, meet in pairs)
    if pairs:
        ratio = statistics.median(meet.seconds / formula.seconds for formula, meet in pairs)
        first, second = (sum(pair[way].seconds for pair in pairs) for way in (0, 1))
        print(f"{len(pairs)} finished both ways, {differing} of them with different answers")
        print(f"{first:.1f} s by formula, {second:.1f} s by meet; on the median {ratio:.2f} times as long by meet")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
