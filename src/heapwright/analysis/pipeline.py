"""From files to a result: parse, lower, analyse.

`build` parses and lowers a program; `analyze` runs an engine on it, enforces the contract of its result, and confirms
its alarms. Both run in the calling process; `analysis/schedule.py` runs several engines, `analysis/supervisor.py`
enforces limits.

    program = build(Input(("list.c",)), phase=print)
    result = analyze(program, Goal(), "explore", Limits(), NullProgress())
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from heapwright.analysis.counterexample_replay import confirm_alarms
from heapwright.analysis.judgement import run_engine
from heapwright.base.errors import InputError
from heapwright.base.source import printable
from heapwright.c.options import ParseOptions
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, OptionValue, Progress
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Graph, Program
from heapwright.result.outcomes import Result

if TYPE_CHECKING:
    from heapwright.analysis.syntax_trees import SyntaxTrees
    from heapwright.c.ast import TranslationUnit

DataModelName = Literal["LP64", "ILP32"]
Externals = Literal["havoc", "pure", "refuse"]
InputHeaps = Literal["separate", "any"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Files as they were read before: the parse options of each translation unit, and contents by file name, as clang
    names it. Nothing is then read from disk. `trees` keeps what is parsed, for callers that build several programs."""

    options: tuple[ParseOptions, ...]
    contents: Mapping[str, bytes]
    trees: SyntaxTrees | None = field(default=None, compare=False)

    def parse(self, number: int, file: str) -> TranslationUnit:
        from heapwright.c.parse import parse

        if self.trees is not None:
            return self.trees.parse(file, self.options[number], self.contents)
        return parse(file, self.options[number], contents=self.contents)


@dataclass(frozen=True, slots=True)
class Input:
    """Input files and how to read them. `function` None is main. With a `snapshot`, which has parse options of its own,
    settings about parsing are ignored."""

    files: tuple[str, ...]
    function: str | None = None
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    std: str = "gnu17"
    system_headers: bool = False
    compile_commands: str | None = None
    data_model: DataModelName = "LP64"
    models: tuple[str, ...] = ()  # files with models of functions without a definition
    malloc_may_fail: bool = False
    externals: Externals = "havoc"
    inputs: InputHeaps = "separate"
    snapshot: Snapshot | None = None
    resources: bool = False  # whether streams that are lost open are asked for
    executed: tuple[str, ...] | None = None  # the arguments of a program that is executed
    recorded: bool = False  # whether what is read is recorded (program/runs/input_text.py)


# --- from files to a program -----------------------------------------------------------------------------------------


def build(source: Input, phase: Callable[[str], None]) -> Program:
    """Parses the files, links them and lowers them to one program. `phase` is called with the current activity."""
    snapshot = source.snapshot
    for file in (*(source.files if snapshot is None else ()), *source.models):
        _readable(file)
    from heapwright.c.lower import lower
    from heapwright.c.parse import parse
    from heapwright.program.dataflow.type_flow import retyped

    try:
        units = []
        for number, file in enumerate(source.files):
            phase(f"parsing {printable(file)}")
            if snapshot is None:
                units.append(parse(file, _parse_options(file, source)))
            else:
                units.append(snapshot.parse(number, file))
        models = [parse(file, _model_options(source)) for file in source.models]
        phase("lowering")
        program = lower(
            units,
            function=source.function or "main",
            malloc_may_fail=source.malloc_may_fail,
            externals=source.externals,
            inputs=source.inputs,
            executed=source.executed,
            recorded=source.recorded,
            models=models,
        )
        if source.executed is None:
            phase("following types")
            program = retyped(program)
        return with_resource_checks(program) if source.resources else program
    except RecursionError:
        raise InputError(f"'{source.files[0]}' is nested too deeply to be analysed") from None


def with_resource_checks(program: Program) -> Program:
    """The program with a check for open streams and directories wherever something may be lost."""
    edges = []
    for edge in program.graph.edges:
        lost = next((one for one in edge.checks if one.kind is CheckKind.LEAK and not one.cleanup), None)
        added = () if lost is None else (replace(lost, kind=CheckKind.RESOURCE_LEAK),)
        edges.append(replace(edge, checks=(*edge.checks, *added)))
    graph = program.graph
    return replace(program, graph=Graph(graph.locations, tuple(edges), graph.entry))


def _readable(file: str) -> None:
    """Rejects files that cannot be read, before parsing."""
    path, name = Path(file), printable(file)
    if path.is_dir():
        raise InputError(f"'{name}' is a directory", hint="name the C files in it")
    try:
        with path.open("rb"):
            pass
    except FileNotFoundError:
        raise InputError(f"'{name}' does not exist") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{name}': {getattr(error, 'strerror', None) or error}") from None


def _model_options(source: Input) -> ParseOptions:
    """Models are parsed with the bundled headers, and with the intrinsics of the shipped models."""
    from heapwright.c.library_models import FOLDER

    include = (*source.include, str(FOLDER))
    return ParseOptions(source.data_model, source.std, include, source.define)


def _parse_options(file: str, source: Input) -> ParseOptions:
    options = ParseOptions(source.data_model, source.std, source.include, source.define, source.system_headers)
    if source.compile_commands is None:
        return options
    from heapwright.c.compile_commands import options_for

    return options_for(file, source.compile_commands, options)


# --- from a program to a result --------------------------------------------------------------------------------------


def analyze(
    program: Program,
    goal: Goal,
    engine: str,
    limits: Limits,
    progress: Progress,
    options: Mapping[str, OptionValue] | None = None,
) -> Result:
    """The checked result of an engine, with alarms confirmed by concrete search."""
    loaded = load_engine(engine, engine_options(program, options or {}))
    result = run_engine(loaded, program, goal, limits, progress)
    return replace(result, outcomes=confirm_alarms(program, goal, result.outcomes, limits, progress))


def engine_options(program: Program, options: Mapping[str, OptionValue]) -> Mapping[str, object]:
    """The options of an engine, with a file of predicates parsed and checked against the vocabulary of the program."""
    path = options.get("predicate-file")
    if not isinstance(path, str):
        return options
    from heapwright.engines.tvl.api import HeapVocabulary
    from heapwright.tvp.user_predicates import UserPredicates

    predicates = UserPredicates(path)
    predicates(HeapVocabulary(program).vocabulary)  # reports errors in the file
    return {**options, "predicate-file": predicates}
