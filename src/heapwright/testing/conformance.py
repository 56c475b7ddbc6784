"""The conformance suite: laws that every engine must satisfy, as tests for pytest.

A new engine subclasses it in three lines, in a test file of its own:

    from heapwright.testing.conformance import Conformance

    class TestReach(Conformance):
        engine = "reach"                 # a name in the registry, or the class of the engine

The laws are tried on C programs that ship with the package (`PROGRAMS`), whose truth stands in their comments; another
choice of them is an attribute `programs`. Bounds are on steps and states, none on time.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import ClassVar

import pytest

from heapwright.analysis.judgement import checked, followed_by, run_engine
from heapwright.analysis.pipeline import build
from heapwright.base.errors import InputError
from heapwright.engines import declaration_of, load_engine
from heapwright.engines.api import Engine, Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine, replay
from heapwright.program.runs.sample_runs import SMALL, small_steps
from heapwright.program.runs.successors import failures
from heapwright.proof.audit import audit
from heapwright.proof.verify import verify
from heapwright.report.drawing.svg import svg
from heapwright.result.outcomes import ProgramVerdict, Result, Section, Verdict
from heapwright.settings.properties import goal_of
from heapwright.testing.answers import LIMITS, answers_of
from heapwright.testing.call_budget import call_budget
from heapwright.testing.expectations import Expectation, read

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = tuple(sorted(FOLDER.rglob("*.c")))

EXPIRED = Limits(deadline=0.0, states=1)
CALLS = 1_500_000  # of functions, by an analysis whose time is over before it begins
RUNS, STATES_TRIED, STEPS = 10, 300, 100  # of the interpreter, which heaps and proofs are held against
OBJECTS = 2  # heaps up to so many are held against a certificate


def name_of(path: Path) -> str:
    """The name of a program that ships with the package: `lists/reverse_ok`."""
    return str(path.relative_to(FOLDER).with_suffix("")) if path.is_relative_to(FOLDER) else path.stem


@dataclass(frozen=True)
class Analysis:
    """A program, and what the engine makes of it: its own result, and what the judgement leaves of that."""

    expected: Expectation
    program: Program
    goal: Goal
    raw: Result
    result: Result


class Conformance:
    """The laws. `engine` is a name in the registry, or something that makes an engine from its options."""

    engine: ClassVar[str | Callable[..., Engine]]
    programs: ClassVar[Sequence[Path]] = PROGRAMS

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "path" in metafunc.fixturenames:
            metafunc.parametrize("path", self.programs, ids=name_of, scope="class")  # all laws, program by program
        if "unselected" in metafunc.fixturenames:
            paths = [path for path in self.programs if _is_about_unselected_checks(read(path))]
            metafunc.parametrize("unselected", paths, ids=name_of)

    @pytest.fixture(autouse=True)
    def _no_query_cache(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HEAPWRIGHT_CACHE", "off")

    def load(self, **options: object) -> Engine:
        return _loaded(type(self).engine, **options)

    def _analysis(self, path: Path) -> Analysis:
        return _analysed(type(self).engine, path)

    # --- verdicts ----------------------------------------------------------------------------------------------------

    def test_verdicts_agree_with_the_marks(self, path: Path) -> None:
        """A marked check is never proved, and no other one is violated."""
        analysis = self._analysis(path)
        _agrees(analysis.result, analysis.expected)

    def test_no_run_violates_what_is_proved(self, path: Path) -> None:
        analysis = self._analysis(path)
        proved = {one.check.id for one in analysis.result.outcomes if one.verdict is Verdict.PROVED}
        for identity in _violations(analysis.program, analysis.goal):
            assert identity not in proved, f"proved, and a run of the interpreter violates it: {identity}"

    def test_violations_are_replayed(self, path: Path) -> None:
        """The interpreter violates the same check by the same choices, which are inputs alone."""
        analysis = self._analysis(path)
        for outcome in analysis.raw.outcomes:
            if outcome.verdict is not Verdict.VIOLATED:
                continue
            identity = outcome.check.id
            assert outcome.run is not None, f"violated without a run: {identity}"
            assert outcome.run.exact, f"the run is approximate: {identity}"
            try:
                made = replay(analysis.program, analysis.goal, outcome.run.choices, check=identity)
            except InputError as error:
                raise AssertionError(f"the run cannot be replayed: {identity}: {error}") from None
            violation = made.violation
            assert violation is not None, f"the run violates nothing: {identity}"
            assert violation.check.id == identity, f"the run violates {violation.check.id} instead of {identity}"

    def test_silence_is_unknown(self, path: Path) -> None:
        """Every selected check has one verdict, and an unknown one has a reason; also where the engine has none."""
        analysis = self._analysis(path)
        silent = checked(replace(analysis.raw, outcomes=()), analysis.program, analysis.goal)
        assert {one.verdict for one in silent.outcomes} <= {Verdict.UNKNOWN}, "a verdict that the engine did not give"
        selected = [check.id for check in analysis.program.checks if analysis.goal.selects(check)]
        for result in (silent, analysis.result):
            given = [one.check.id for one in result.outcomes]
            assert [identity for identity in given if identity in set(selected)] == selected, "not one verdict each"
            unexplained = [one.check.id for one in result.outcomes if one.verdict is Verdict.UNKNOWN and not one.reason]
            assert not unexplained, f"unknown without a reason: {unexplained}"

    def test_unselected_checks_may_fail(self, unselected: Path) -> None:
        """Checks behind an unselected check that fails are not proved."""
        analysis = self._analysis(unselected)
        decided = [one.check.id for one in analysis.result.outcomes if one.verdict is not Verdict.UNKNOWN]
        assert not decided, f"decided behind an unselected check that fails: {decided}"
        assert analysis.result.verdict is ProgramVerdict.UNKNOWN

    # --- states ------------------------------------------------------------------------------------------------------

    def test_states_contain_the_heaps_of_runs(self, path: Path) -> None:
        """`contains` is never false for a heap of a run; None if the engine does not decide it."""
        expected = read(path)
        program, goal = _built(path), replace(goal_of(expected.properties), audit=True)
        result = run_engine(self.load(), program, goal, LIMITS, NullProgress())
        if result.states is None or not (result.sound and result.complete):
            return
        found = audit(program, goal, {result.engine: result.states}, runs=RUNS, states_tried=STATES_TRIED, steps=STEPS)
        for missing in found.missing:
            span = program.graph.locations[missing.after.location].span
            raise AssertionError(f"a heap of a run is not in the states at {span}, location {missing.after.location}")

    # --- limits ------------------------------------------------------------------------------------------------------

    def test_limits_are_kept(self, path: Path) -> None:
        """With no time left, an analysis ends after few steps, says so, and is not wrong."""
        expected, program = read(path), _built(path)
        goal, engine = goal_of(expected.properties), self.load()
        followed, doubts = followed_by(engine, program)
        with call_budget(CALLS):
            raw = engine.analyze(followed, goal, EXPIRED, NullProgress())
        lost = _decided(self._analysis(path).raw) - _decided(raw)
        assert not (lost and raw.complete and raw.sound), f"cut short, and complete: {sorted(lost)}"
        _agrees(checked(raw, followed, goal, doubts), expected)

    # --- answers as data ---------------------------------------------------------------------------------------------

    def test_answers_do_not_depend_on_the_hash_seed(self) -> None:
        path = _path_of(self.load()) if isinstance(self.engine, str) else _path_of(type(self).engine)
        one, other = (answers_of(path, self.programs, seed=seed) for seed in (1, 2))
        for program, left, right in zip(self.programs, one, other, strict=True):
            different = [
                pair for pair in zip(left.splitlines(), right.splitlines(), strict=False) if pair[0] != pair[1]
            ]
            assert left == right, f"{name_of(program)}: {different[:1]}"

    def test_results_are_pickled(self, path: Path) -> None:
        result = self._analysis(path).result
        twin = _pickled(result)
        assert twin.outcomes == result.outcomes
        assert (twin.stats, twin.dropped, twin.complete) == (result.stats, result.dropped, result.complete)

    def test_invariants_are_drawn(self, path: Path) -> None:
        engine = self.load()
        if not engine.draws:
            return
        program, goal = _built(path), replace(goal_of(read(path).properties), pictures=True)
        result = _pickled(run_engine(engine, program, goal, LIMITS, NullProgress()))
        for location, pictures in result.invariants.items():
            assert 0 <= location < len(program.graph.locations), f"no location: {location}"
            for picture in pictures:
                assert svg(picture, "").startswith("<svg")

    def test_certificates_are_verified(self, path: Path) -> None:
        """A written certificate is read back and accepted; not so with a state missing or a claim too many."""
        program, goal = _built(path), replace(goal_of(read(path).properties), certificate=True)
        result = run_engine(self.load(), program, goal, LIMITS, NullProgress())
        for section in result.sections:
            written = _through_json(section)
            assert _accepted(program, goal, written), "the certificate is rejected"
            for name, changed in _tampered(written, program, goal):
                assert not _accepted(program, goal, changed, wholly=True), f"a certificate is accepted with {name}"

    def test_options_have_defaults(self) -> None:
        engine = self.load()
        declared = declaration_of(self.engine).options if isinstance(self.engine, str) else engine.options
        assert engine.options == declared, "the engine has other options than its declaration"
        for option in declared:
            assert replace(option, default=None).accepts(option.default), (
                f"the default of '{option.name}' is not of its kind"
            )
            assert option.help, f"the option '{option.name}' has no help text"
        assert self.load(**{option.name: option.default for option in declared}).name == engine.name


# --- analyses --------------------------------------------------------------------------------------------------------


@cache
def _built(path: Path) -> Program:
    return build(read(path).input(path), lambda phase: None)


def _loaded(engine: str | Callable[..., Engine], **options: object) -> Engine:
    return load_engine(engine, options) if isinstance(engine, str) else engine(**options)


@cache
def _analysed(engine: str | Callable[..., Engine], path: Path) -> Analysis:
    """The program with its marks, analysed once for all laws."""
    expected, program = read(path), _built(path)
    goal = goal_of(expected.properties)
    made = _loaded(engine)
    followed, doubts = followed_by(made, program)
    raw = made.analyze(followed, goal, LIMITS, NullProgress())
    return Analysis(expected, program, goal, raw, checked(raw, followed, goal, doubts))


def _agrees(result: Result, expected: Expectation) -> None:
    verdicts: dict[tuple[int, str], set[Verdict]] = {}
    for outcome in result.outcomes:
        verdicts.setdefault((outcome.check.span.line, outcome.check.kind.value), set()).add(outcome.verdict)
    proved = [mark for mark in sorted(expected.bad) if verdicts.get(mark) == {Verdict.PROVED}]
    assert not proved, f"marked as violated, and proved: {proved}"
    violated = [position for position in sorted(verdicts) if Verdict.VIOLATED in verdicts[position]]
    assert set(violated) <= expected.bad, f"violated, and not marked: {sorted(set(violated) - expected.bad)}"


def _decided(result: Result) -> set[str]:
    return {one.check.id for one in result.outcomes if one.verdict is not Verdict.UNKNOWN}


def _violations(program: Program, goal: Goal, blocks: int | None = None) -> Iterator[str]:
    """Checks that small runs violate, with at most so many blocks before that step."""
    machine = Machine(program, goal, SMALL)
    for before, after, fault in small_steps(machine, STATES_TRIED):
        if blocks is None or before is None or len(before.blocks) <= blocks:
            yield from (check.id for check in failures(machine, after, fault))


def _is_about_unselected_checks(expected: Expectation) -> bool:
    return bool(expected.properties) and expected.verdict == "unknown"


def _path_of(made: object) -> str:
    """The dotted path of a class or a function, or of the class of an object."""
    named = made if hasattr(made, "__qualname__") else type(made)
    return f"{named.__module__}:{getattr(named, '__qualname__')}"  # noqa: B009


def _pickled(result: Result) -> Result:
    try:
        twin: Result = pickle.loads(pickle.dumps(result))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise AssertionError(f"the result cannot be pickled: {error}") from None
    return twin


# --- certificates ----------------------------------------------------------------------------------------------------


def _through_json(section: Section) -> Section:
    return replace(section, parts=tuple(json.loads(json.dumps(list(section.parts)))))


def _accepted(program: Program, goal: Goal, section: Section, *, wholly: bool = False) -> bool:
    """Whether no refutation is found; `wholly`: in all heaps."""
    try:
        (found,) = verify(program, goal, (section,), objects=OBJECTS)
    except InputError:
        return False
    dropped = set(section.claims) - set(found.claims)
    return found.refutation is None and not (wholly and (found.incomplete or dropped))


def _tampered(section: Section, program: Program, goal: Goal) -> Iterator[tuple[str, Section]]:
    """Ways to change a certificate after which it proves nothing."""
    for index, part in enumerate(section.parts):
        without = {name: value for name, value in part["locations"].items() if name != str(program.graph.entry)}
        parts = (*section.parts[:index], {**part, "locations": without}, *section.parts[index + 1 :])
        yield "no state at the entry", replace(section, parts=parts)
    for identity in islice(_violations(program, goal, OBJECTS), 1):
        yield f"the claim {identity}", replace(section, claims=(*section.claims, identity))
