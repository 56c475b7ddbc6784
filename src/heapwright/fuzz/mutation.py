"""Engines against mutants: what a run of a mutant breaks, no engine may prove.

A program is changed in one place (mutate.py). Where the search shows that a check is violated now, the engine must not
prove that check, with any of its options.

    python -m heapwright.fuzz.mutation FILE.c ... [--engine tvl] [--option NAME=VALUE] [--count 20] [--seed 0]

draws mutants, prints what became of each kind, and the text of every mutant that is proved wrongly; the exit code is 1
then.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from heapwright.engines import load_engine
from heapwright.engines.api import Limits, Quiet
from heapwright.errors import HeapwrightError
from heapwright.fuzz.mutate import Mutant, mutants
from heapwright.pipeline import Input, build
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.result import Verdict

SEARCH_SECONDS = 4.0
SEARCH_OBJECTS = 4

Options = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a mutant. `proved_wrongly` has the checks that a run violates and the engine proved."""

    mutant: Mutant
    fate: str  # refused: it does not compile; alive: no run breaks it; seen: not proved; or why the engine gave up
    proved_wrongly: tuple[str, ...] = ()
    options: Options | None = None


def violated_checks(program: Program) -> frozenset[str]:
    """What a short search shows to be violated."""
    limits = Limits(deadline=time.monotonic() + SEARCH_SECONDS, objects=SEARCH_OBJECTS)
    result = load_engine("explore").analyze(program, Goal(), limits, Quiet())
    return frozenset(outcome.check.id for outcome in result.outcomes if outcome.verdict is Verdict.VIOLATED)


def tried(mutant: Mutant, engine: str, options: Sequence[Options], seconds: float) -> Trial:
    """One mutant under each of several settings of an engine."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "mutant.c"
        file.write_text(mutant.text, encoding="utf-8")
        try:
            program = build(Input((str(file),)), lambda phase: None)
        except HeapwrightError:
            return Trial(mutant, "refused")
    violated = violated_checks(program)
    if not violated:
        return Trial(mutant, "alive")
    fate = "seen"
    for setting in options:
        limits = Limits(deadline=time.monotonic() + seconds)
        result = load_engine(engine, setting).analyze(program, Goal(), limits, Quiet())
        proved = {outcome.check.id for outcome in result.outcomes if outcome.verdict is Verdict.PROVED}
        if wrong := sorted(violated & proved):
            return Trial(mutant, "proved wrongly", tuple(wrong), setting)
        if not result.complete:
            fate = result.limit or "given up"
    return Trial(mutant, fate)


def drawn(texts: Iterable[str], count: int, seed: int) -> list[Mutant]:
    """So many mutants of each program, the same ones for the same seed, every kind as likely as the others."""
    random = Random(seed)
    found: list[Mutant] = []
    for text in texts:
        kinds: dict[str, list[Mutant]] = {}
        for mutant in mutants(text):
            kinds.setdefault(mutant.kind, []).append(mutant)
        for _ in range(count):
            left = sorted(kind for kind in kinds if kinds[kind])
            if left:
                pool = kinds[random.choice(left)]
                found.append(pool.pop(random.randrange(len(pool))))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="an engine against mutants of programs")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.c")
    parser.add_argument("--engine", default="tvl")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a setting to try")
    parser.add_argument("--count", type=int, default=20, help="mutants of each file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each analysis")
    chosen = parser.parse_args(arguments)
    if any("=" not in pair for pair in chosen.option):
        parser.error("an option is NAME=VALUE")
    if missing := [file for file in chosen.files if not file.is_file()]:
        parser.error(f"'{missing[0]}' is no file")
    settings = [dict([pair.split("=", 1)]) for pair in chosen.option] or [{}]
    fates: Counter[tuple[str, str]] = Counter()
    wrong = 0
    for file in chosen.files:
        for mutant in drawn([file.read_text(encoding="utf-8")], chosen.count, chosen.seed):
            trial = tried(mutant, chosen.engine, settings, chosen.seconds)
            fates[mutant.kind, trial.fate] += 1
            if trial.proved_wrongly:
                wrong += 1
                print(f"{file}: {mutant.kind} at line {mutant.line}, {trial.options or 'no options'}:")
                print(f"proved wrongly: {', '.join(trial.proved_wrongly)}\n{mutant.text}", flush=True)
    for (kind, fate), count in sorted(fates.items()):
        print(f"{count:5} {kind:10} {fate}")
    print(f"{sum(fates.values())} mutants, {wrong} proved wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
