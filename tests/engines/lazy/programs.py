"""C texts for the tests of the engine, and how they are analysed."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from support.bounds import UNBOUNDED

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.lazy.art.cegar_loop import Search
from heapwright.engines.lazy.art.search_options import Options
from heapwright.engines.lazy.engine import Lazy
from heapwright.engines.lazy.heap.aliases import Aliases
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Result, Verdict

WITHOUT_LEAKS = Goal(frozenset(CheckKind) - {CheckKind.LEAK})
CHECKED = Options(checked=True)
HEAD = """#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int h; struct node *n; };
"""


def compiled(folder: Path, text: str) -> Program:
    file = folder / "program.c"
    file.write_text(HEAD + text, encoding="utf-8")
    return build(Input((str(file),)), lambda phase: None)


def published(name: str) -> Program:
    """One of the programs that `heapwright reproduce lazy` runs."""
    path = files("heapwright.reproduce.lazy") / "programs" / f"{name}.c"
    return build(Input((str(path),)), lambda phase: None)


def analysed(
    program: Program, goal: Goal = WITHOUT_LEAKS, options: Options = CHECKED, limits: Limits = UNBOUNDED
) -> Result:
    return run_engine(Lazy(settings=options), program, goal, limits, NullProgress())


def searched(program: Program, goal: Goal = WITHOUT_LEAKS, options: Options = CHECKED) -> Search:
    """The search itself, ended, so that one can look at its tree."""
    search = Search(program, goal, Aliases(HeapVocabulary(program)), options)
    search.run(Limits(), NullProgress())
    return search


def verdicts(result: Result) -> dict[str, Verdict]:
    """By line and kind."""
    return {f"{one.check.span.line}:{one.check.kind.value}": one.verdict for one in result.outcomes}


def broken(result: Result) -> set[str]:
    return {name for name, verdict in verdicts(result).items() if verdict is Verdict.VIOLATED}


def undecided(result: Result) -> set[str]:
    return {name for name, verdict in verdicts(result).items() if verdict is Verdict.UNKNOWN}
