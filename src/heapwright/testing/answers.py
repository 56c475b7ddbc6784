"""The result of an engine as text, which does not depend on the process or the hash seed.

    python -m heapwright.testing.answers package.module:Engine list.c tree.c

An engine is named by the dotted path of its class, or of a function that makes one; C files have the marks of
`expectations`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from operator import attrgetter
from pathlib import Path

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import build
from heapwright.engines.api import Engine, Limits, NullProgress
from heapwright.fuzz.determinism import CLOCK
from heapwright.result.outcomes import Outcome, Result
from heapwright.settings.properties import goal_of
from heapwright.testing.expectations import read

LIMITS = Limits(steps=300, objects=4, states=2_000)  # steps alone: the same on every machine


def answer(result: Result) -> str:
    """Everything of a result but what depends on a clock or the system."""
    document = {
        "engine": result.engine,
        "outcomes": [_outcome(outcome) for outcome in (*result.outcomes, *result.unselected)],
        "assumptions": [assumption.text for assumption in result.assumptions],
        "dropped": result.dropped,
        "complete": result.complete,
        "limit": result.limit,
        "stats": {name: value for name, value in result.stats.items() if not name.endswith(CLOCK)},
    }
    return json.dumps(document, indent=1)


def _outcome(outcome: Outcome) -> list[object]:
    run = [] if outcome.run is None else [choice.value for choice in outcome.run.choices]
    return [outcome.check.id, outcome.verdict.value, outcome.reason, run, list(outcome.path)]


def answers_of(engine: str, paths: Sequence[Path], *, seed: int) -> list[str]:
    """The answers of an engine about programs, in a process of its own with that hash seed and without a query
    cache."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": str(seed),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "HEAPWRIGHT_CACHE": "off",
    }
    command = [sys.executable, "-m", __name__, engine, *map(str, paths)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers: list[str] = json.loads(done.stdout)
    return answers


def main(arguments: Sequence[str]) -> None:
    module, _, attribute = arguments[0].partition(":")
    engine: Engine = attrgetter(attribute)(import_module(module))()
    texts = []
    for path in map(Path, arguments[1:]):
        expected = read(path)
        program = build(expected.input(path), lambda phase: None)
        texts.append(answer(run_engine(engine, program, goal_of(expected.properties), LIMITS, NullProgress())))
    print(json.dumps(texts))


if __name__ == "__main__":
    main(sys.argv[1:])
