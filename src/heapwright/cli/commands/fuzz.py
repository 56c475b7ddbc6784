"""`heapwright fuzz`: test engines on random programs and mutants, and the interpreter against a compiler."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from heapwright.base.errors import InputError, UsageError
from heapwright.base.output_files import make_folder, write_whole
from heapwright.cli.output_files import writable, write_to
from heapwright.cli.parser import Parser
from heapwright.cli.progress import ProgressLine
from heapwright.engines import ENGINES, unknown_engine
from heapwright.engines.api import OptionValue
from heapwright.fuzz.campaign import Campaign, Plan, Tally
from heapwright.fuzz.differential import Comparison
from heapwright.fuzz.generators.hidden_programs import TWO_FILE_KINDS
from heapwright.fuzz.generators.recipes import KINDS
from heapwright.fuzz.linked_campaign import LinkedCampaign, LinkedPlan, LinkedTally
from heapwright.fuzz.preconditions.campaign import PreconditionCampaign, PreconditionPlan
from heapwright.fuzz.preconditions.figures import figures, progress, summary
from heapwright.fuzz.preconditions.functions import KINDS as FUNCTION_KINDS
from heapwright.fuzz.preconditions.trial import Bounds as FunctionBounds
from heapwright.fuzz.trial import Bounds, EngineConfig
from heapwright.settings.table import options_of, parse_text

DEFAULT = "explore,tvl,tvl:embedding=loose,fesa,lazy,boolheap"
COMPILED_KINDS = ("pointers", "bytes", "library")  # of programs beside a compiler
EXITS = {0: "no finding", 1: "a finding"}


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE.c", help="test mutants of these files instead of random programs"
    )
    parser.add_argument(
        "--engine",
        default=DEFAULT,
        metavar="E,E:OPTION=VALUE,...",
        help=f"engines with options (default {DEFAULT})",
    )
    parser.renamed("--engines", "--engine")
    parser.add_argument(
        "--kinds",
        metavar="K,...",
        help=f"kinds of programs: {', '.join(KINDS)}; with --environment {', '.join(TWO_FILE_KINDS)}; "
        f"with --compiler {', '.join(COMPILED_KINDS)}; with --infer {', '.join(FUNCTION_KINDS)} (default all)",
    )
    parser.add_argument("--count", type=int, default=100, metavar="N", help="number of programs (default 100)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed (default 0)")
    parser.add_argument("--seconds", type=float, default=0, metavar="S", help="time limit in seconds (default 0: none)")
    parser.add_argument(
        "--each", type=float, default=5, metavar="S", help="time limit per engine and program in seconds (default 5)"
    )
    parser.add_argument(
        "--states", type=int, metavar="N", help="limit of states per engine and program (default: only that of time)"
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="number of programs in parallel (default 2)")
    parser.add_argument("--compiler", action="store_true", help="compare the interpreter with gcc's sanitizers instead")
    parser.add_argument(
        "--environment",
        action="store_true",
        help="test programs in two files, one of which engines do not see (--engine none: only the interpreter "
        "against gcc)",
    )
    parser.add_argument(
        "--infer",
        action="store_true",
        help="test the preconditions of random functions on all heaps of up to 3 objects; --states bounds the visits "
        "of locations by the analyses of a function (default 400)",
    )
    parser.add_argument(
        "-o",
        "--output",
        default="fuzz-finds",
        metavar="DIR",
        help="directory for programs with findings (default fuzz-finds)",
    )
    parser.add_argument("--json", metavar="PATH", help="write the counts as JSON (- for standard output)")


def execute(arguments: argparse.Namespace) -> int:
    if arguments.count < 1 or arguments.jobs < 1 or arguments.each <= 0:
        raise UsageError("'count' and 'jobs' must be at least 1, and 'each' positive")
    if arguments.states is not None and arguments.states < 1:
        raise UsageError("'states' must be at least 1")
    if arguments.json is not None:
        writable(arguments.json)
    if arguments.compiler:
        return _against_compiler(arguments)
    if arguments.environment:
        return _in_environment(arguments)
    if arguments.infer:
        return _preconditions(arguments)
    plan = Plan(
        _settings(arguments.engine),
        _kinds(arguments.kinds, KINDS),
        arguments.count,
        arguments.seed,
        arguments.seconds or float("inf"),
        _bounds(arguments),
        arguments.jobs,
        tuple(_text(file) for file in arguments.files),
        Path(arguments.output),
    )
    begin = time.monotonic()
    line = ProgressLine(sys.stderr)
    try:
        tally = Campaign(plan, lambda tally, seconds: line.show(seconds, _doing(tally, plan.count))).run()
    finally:
        line.clear()
    report = _report(tally, plan, time.monotonic() - begin)
    if arguments.json is not None:
        write_to(arguments.json, json.dumps(report, indent=2) + "\n")
    console = sys.stderr if arguments.json == "-" else sys.stdout
    print(_summary(tally, plan, time.monotonic() - begin), file=console)
    return 1 if tally.finds else 0


def _bounds(arguments: argparse.Namespace) -> Bounds:
    bounds = Bounds(engine_seconds=arguments.each)
    return bounds if arguments.states is None else replace(bounds, engine_states=arguments.states)


def _settings(text: str) -> tuple[EngineConfig, ...]:
    found = []
    for part in text.split(","):
        name, *options = part.split(":")
        if name not in ENGINES:
            raise unknown_engine(name)
        if any("=" not in option for option in options):
            raise UsageError(f"'{part}' is not an engine with options", hint="for instance tvl:embedding=loose")
        found.append(EngineConfig(name, tuple(_option(name, option) for option in options)))
    return tuple(found)


def _option(engine: str, text: str) -> tuple[str, OptionValue]:
    """The name and the value of `embedding=loose`."""
    name, _, value = text.partition("=")
    options = options_of(engine)
    if name not in options:
        raise UsageError(
            f"the engine '{engine}' has no option '{name}'", hint=f"options: {', '.join(options) or 'none'}"
        )
    parsed = parse_text(options[name], value)
    assert not isinstance(parsed, float)  # no option is
    return name, parsed


def _kinds(text: str | None, known: Iterable[str]) -> tuple[str, ...]:
    kinds = tuple(known)
    names = kinds if text is None else tuple(text.split(","))
    for name in names:
        if name not in kinds:
            raise UsageError(f"unknown kind of programs '{name}'", hint="kinds: " + ", ".join(kinds))
    return names


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{file}': {getattr(error, 'strerror', None) or error}") from None


# --- report ----------------------------------------------------------------------------------------------------------


def _doing(tally: Tally, count: int) -> str:
    return f"{tally.programs} of {count} programs, {len(tally.situations)} situations, {len(tally.finds)} finds"


def _report(tally: Tally, plan: Plan, seconds: float) -> dict[str, object]:
    return {
        "programs": tally.programs,
        "refused": tally.refused,
        "with_a_violation": tally.broken,
        "repeated": tally.repeated,
        "situations": len(tally.situations),
        "seconds": round(seconds, 1),
        "engines": {
            one.name: {
                "ended": tally.ended[one.name],
                "proved": tally.proved[one.name],
                "heaps": tally.heaps[one.name],
                "seconds": round(tally.seconds[one.name], 1),
            }
            for one in plan.settings
        },
        "finds": [
            {"program": candidate.name, "kind": find.kind, "engine": find.setting, "detail": find.detail}
            for candidate, find in tally.finds
        ],
    }


def _summary(tally: Tally, plan: Plan, seconds: float) -> str:
    lines = [f"{'engine':24} {'ended':>7} {'checks proved':>14} {'heaps audited':>14} {'seconds':>8}"]
    lines += [
        f"{one.name:24} {tally.ended[one.name]:>7} {tally.proved[one.name]:>14} {tally.heaps[one.name]:>14} "
        f"{tally.seconds[one.name]:>8.0f}"
        for one in plan.settings
    ]
    lines.append(
        f"{tally.programs} programs in {seconds:.0f} s, {tally.broken} with a violation, {tally.refused} refused, "
        f"{tally.repeated} analyses repeated, {len(tally.situations)} situations"
    )
    for candidate, find in tally.finds:
        lines.append(f"{candidate.name}: {find.setting}: {find.kind}: {find.detail}")
    kept = f"; see {plan.folder}" if tally.finds else ""
    lines.append(f"{len(tally.finds)} finds{kept}")
    return "\n".join(lines)


# --- against a compiler ----------------------------------------------------------------------------------------------


def _against_compiler(arguments: argparse.Namespace) -> int:
    if shutil.which("gcc") is None:
        raise UsageError("gcc not found")
    kinds = _kinds(arguments.kinds, COMPILED_KINDS)
    agreed = apart = 0
    begin = time.monotonic()
    line = ProgressLine(sys.stderr)
    for number, comparison in enumerate(_compared(arguments.count, arguments.seed * 1_000_003, kinds)):
        seconds = time.monotonic() - begin
        if arguments.seconds and seconds > arguments.seconds:
            break
        line.show(seconds, f"{number} of {arguments.count} programs, {apart} differ")
        agreed += comparison.agrees is True
        if comparison.agrees is False:
            apart += 1
            folder = Path(arguments.output)
            make_folder(str(folder))
            said = comparison.detail.replace("\n", "\n// ")
            write_whole(str(folder / f"compiler_{comparison.seed}.c"), f"// {said}\n{comparison.text}")
    line.clear()
    print(f"{agreed} programs agree between the interpreter and gcc, {apart} differ")
    return 1 if apart else 0


def _compared(count: int, seed: int, kinds: Sequence[str]) -> Iterator[Comparison]:
    """As many programs of each kind."""
    from heapwright.fuzz.byte_campaign import BATCH, compare_bytes
    from heapwright.fuzz.differential import compare
    from heapwright.fuzz.library.campaign import compare_library

    comparisons: dict[str, Callable[[range], Iterator[Comparison]]] = {
        "pointers": lambda seeds: map(compare, seeds),
        "bytes": compare_bytes,
        "library": compare_library,
    }
    done = 0
    while done < count:
        most = min(len(kinds) * BATCH, count - done)
        for number, kind in enumerate(kinds):
            start, end = most * number // len(kinds), most * (number + 1) // len(kinds)
            yield from comparisons[kind](range(seed + done + start, seed + done + end))
        done += most


# --- programs in two files -------------------------------------------------------------------------------------------


def _in_environment(arguments: argparse.Namespace) -> int:
    if shutil.which("gcc") is None:
        raise UsageError("gcc not found")
    if arguments.files:
        raise UsageError("'--environment' tests random programs only")
    plan = LinkedPlan(
        _kinds(arguments.kinds, TWO_FILE_KINDS),
        arguments.count,
        arguments.seed,
        arguments.seconds or float("inf"),
        () if arguments.engine == "none" else _settings(arguments.engine),
        _bounds(arguments),
        Path(arguments.output),
    )
    line = ProgressLine(sys.stderr)
    begin = time.monotonic()
    try:
        tally = LinkedCampaign(plan, lambda tally, seconds: line.show(seconds, _linked_progress(tally))).run()
    finally:
        line.clear()
    if arguments.json is not None:
        write_to(arguments.json, json.dumps(_linked_report(tally, time.monotonic() - begin), indent=2) + "\n")
    console = sys.stderr if arguments.json == "-" else sys.stdout
    print(_linked_summary(tally, plan), file=console)
    return 1 if tally.finds else 0


def _linked_progress(tally: LinkedTally) -> str:
    return f"{sum(tally.programs.values())} programs, {tally.compared} compared with gcc, {len(tally.finds)} finds"


def _linked_report(tally: LinkedTally, seconds: float) -> dict[str, object]:
    return {
        "programs": dict(tally.programs),
        "refused": dict(tally.refused),
        "compared": tally.compared,
        "with_a_violation": tally.failed,
        "seconds": round(seconds, 1),
        "engines": {
            name: {
                "checked": count,
                "ended": tally.ended[name],
                "proved": tally.proved[name],
                "heaps": tally.heaps[name],
            }
            for name, count in tally.checked.items()
        },
        "finds": [
            {"program": candidate.name, "kind": find.kind, "engine": find.setting, "detail": find.detail}
            for candidate, find in tally.finds
        ],
    }


def _linked_summary(tally: LinkedTally, plan: LinkedPlan) -> str:
    lines = [
        f"{name:24} {tally.ended[name]} of {count} programs to the end, {tally.proved[name]} checks proved, "
        f"{tally.heaps[name]} heaps contained"
        for name, count in tally.checked.items()
    ]
    lines.append(
        f"{sum(tally.programs.values())} programs, {tally.compared} compared with gcc, "
        f"{tally.failed} with a violation, {sum(tally.refused.values())} refused"
    )
    lines += [f"{candidate.name}: {find.setting}: {find.kind}: {find.detail}" for candidate, find in tally.finds]
    lines.append(f"{len(tally.finds)} finds{f'; see {plan.folder}' if tally.finds else ''}")
    return "\n".join(lines)


# --- preconditions of functions --------------------------------------------------------------------------------------


def _preconditions(arguments: argparse.Namespace) -> int:
    if arguments.files:
        raise UsageError("'--infer' tests random functions only")
    bounds = FunctionBounds() if arguments.states is None else FunctionBounds(arguments.states)
    plan = PreconditionPlan(
        _kinds(arguments.kinds, FUNCTION_KINDS),
        arguments.count,
        arguments.seed,
        arguments.seconds or float("inf"),
        bounds,
        arguments.jobs,
        Path(arguments.output),
    )
    line = ProgressLine(sys.stderr)
    begin = time.monotonic()
    try:
        tally = PreconditionCampaign(plan, lambda tally, seconds: line.show(seconds, progress(tally))).run()
    finally:
        line.clear()
    if arguments.json is not None:
        write_to(arguments.json, json.dumps(figures(tally, time.monotonic() - begin), indent=2) + "\n")
    console = sys.stderr if arguments.json == "-" else sys.stdout
    kept = f"; see {plan.folder}" if tally.finds else ""
    print(f"{summary(tally)}{kept}", file=console)
    return 1 if tally.finds else 0
