"""`heapwright check`: exit codes, sinks, and what becomes of engines that misbehave."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from cli.hand_made import SOURCE, Heapwright

from heapwright.analysis.limits.memory import own_peak_mb
from heapwright.report.json_report import SCHEMA
from heapwright.settings.table import OUTPUT

pytestmark = pytest.mark.usefixtures("fakes")


def test_safe(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "proves")
    assert said.code == 0
    assert "a.c: safe: 3 proved (fake" in said.out
    assert "- malloc never fails" in said.out
    assert said.err == ""


def test_unsafe(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "breaks")
    assert said.code == 1
    assert said.out.startswith("a.c:2:8: error: breaks at 'x' [double-free]\n")
    assert "  2 |   free(x);\n    |        ^" in said.out
    assert "a.c: unsafe: 1 violated, 2 proved (fake" in said.out


def test_unknown(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "shrugs")
    assert said.code == 3
    assert "3 checks: not attempted" in said.out
    assert "a.c: unknown: 0 of 3 checks proved; 3 open at 3 places" in said.out


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("forgets", "the engine gave no verdict"),
        ("unsound", "only ten runs"),
        ("guesses", "depends on an approximation"),
    ],
)
def test_promises_are_kept_for_engines_that_break_them(heapwright: Heapwright, engine: str, reason: str) -> None:
    said = heapwright("check", "a.c", "--engine", engine)
    assert said.code == 3
    assert "0 of 3 checks proved; 3 open at " in said.out
    assert reason in said.out


def test_property_selects_checks(heapwright: Heapwright) -> None:
    assert "safe: 2 proved" in heapwright("check", "a.c", "--engine", "proves", "--property", "valid-free").out
    none = heapwright("check", "a.c", "--engine", "proves", "--property", "unreach-call")
    assert (none.code, "no checks: nothing to prove in main about unreach-call" in none.out) == (0, True)


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["sleeps", "spins"])
def test_time_limit(heapwright: Heapwright, engine: str) -> None:
    said = heapwright("check", "a.c", "--engine", engine, "--timeout", "0.5")
    assert said.code == 3
    assert "the time limit of 0.5 s was reached while analysing with " + engine in said.out
    assert "0 of 3 checks proved; 3 open at " in said.out


def test_an_engine_that_keeps_the_time_limit_by_itself(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "behaves", "--timeout", "0.5")
    assert said.code == 3
    reached = "the time limit of 0.5 s was reached while analysing with behaves; looked at two of three runs"
    assert reached in said.out
    assert "help: raise --timeout\n" in said.out


def test_memory_limit(heapwright: Heapwright) -> None:
    """A child begins with what this process has taken already."""
    limit = int(own_peak_mb()) + 500
    said = heapwright("check", "a.c", "--engine", "hoards", "--memory", str(limit))
    assert said.code == 3
    assert f"the memory limit of {limit} MB was reached while analysing with hoards" in said.out
    assert "help: raise --memory\n" in said.out


def test_what_was_found_before_a_limit_counts(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "findsandsleeps", "--timeout", "0.5", "--json", "out.json")
    assert said.code == 1
    assert "a.c: unsafe: 1 violated, 0 of 3 checks proved; 2 open at " in said.out
    loaded = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert loaded["limit"] == "the time limit of 0.5 s was reached while analysing with findsandsleeps: asleep"
    assert (loaded["verdict"], loaded["complete"]) == ("unsafe", False)


def test_an_engine_that_stops_by_itself(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "stops")
    assert said.code == 3
    assert "enough states while analysing with stops" in said.out


def test_bounds_reach_the_engine(heapwright: Heapwright) -> None:
    bounds = ("--steps", "11", "--objects", "12", "--values", "13", "--states", "14")
    assert "steps=11 objects=12 values=13 states=14" in heapwright("check", "a.c", "--engine", "minds", *bounds).out


# --- failures --------------------------------------------------------------------------------------------------------


def test_a_crash_in_native_code_is_told_in_a_sentence(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "segfaults")
    assert (said.code, said.out) == (4, "")
    assert "internal error: the process was terminated by SIGSEGV while analysing with segfaults" in said.err
    assert "Traceback" not in said.out + said.err


def test_an_exception_is_told_in_a_sentence(heapwright: Heapwright, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEAPWRIGHT_DEBUG", raising=False)
    said = heapwright("check", "a.c", "--engine", "raises")
    assert said.code == 4
    assert said.out == ""
    assert said.err.startswith("heapwright: error: internal error: ZeroDivisionError: a secret while analysing with")
    assert said.err.count("\n") == 1
    assert "Traceback" in heapwright("check", "a.c", "--engine", "raises", "-v").err
    monkeypatch.setenv("HEAPWRIGHT_DEBUG", "1")
    assert "Traceback" in heapwright("check", "a.c", "--engine", "raises").err


def test_what_was_found_before_an_exception_counts(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "findsandraises")
    assert said.code == 1
    assert "unsafe: 1 violated, 0 of 3 checks proved; 2 open at " in said.out
    assert "internal error: ZeroDivisionError" in said.err


@pytest.mark.usefixtures("keyboard")
def test_interrupt(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "interrupts")
    assert said.code == 130
    assert "unsafe: 1 violated, 0 of 3 checks proved; 2 open at " in said.out
    assert "2 checks: interrupted while analysing with interrupts\n" in said.out
    assert "asleep" not in said.out  # the progress line is no reason


# --- sinks -----------------------------------------------------------------------------------------------------------


def test_json_to_standard_output_moves_the_console_report_away(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "breaks", "--json", "-")
    jsonschema.validate(json.loads(said.out), json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert "a.c: unsafe: 1 violated" in said.err


def test_several_sinks(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "breaks", "--json", "out.json", "--sarif", "-", "-q")
    assert json.loads(said.out)["version"] == "2.1.0"
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["verdict"] == "unsafe"
    assert said.err.splitlines()[0] == "a.c:2:8: error: breaks at 'x' [double-free]"
    assert said.err.splitlines()[1:3] == ["assumptions:", "  - malloc never fails"]
    assert len(said.err.splitlines()) == 4


def test_statistics(heapwright: Heapwright) -> None:
    stats = json.loads(heapwright("check", "a.c", "--engine", "proves", "--json", "-").out)["stats"]
    assert stats["iterations"] == 3
    assert stats["locations"] == 4
    assert stats["peak_mb"] > 1


def test_verbose_tells_everything(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "breaks", "-v")
    assert "a.c:3:8: proved: 'x' has not been freed before [double-free]" in said.out
    assert "SV-COMP result: false(valid-free)" in said.out


# --- suppression and configuration -----------------------------------------------------------------------------------


def test_suppression(heapwright: Heapwright) -> None:
    Path("a.c").write_text(SOURCE.replace(";\n", "; // heapwright: ignore[double-free] a test\n", 1), encoding="utf-8")
    said = heapwright("check", "a.c", "--engine", "breaks")
    assert said.code == 0
    assert "a.c: safe: 2 proved, 1 suppressed" in said.out
    assert "- suppressed: double-free (a test) (a.c:2:8)" in said.out
    assert heapwright("check", "a.c", "--engine", "breaks", "--no-suppress").code == 1


def test_configuration_and_command_line(heapwright: Heapwright) -> None:
    Path("heapwright.toml").write_text('engine = "minds"\nsteps = 5\nvalues = 6\n', encoding="utf-8")
    said = heapwright("check", "a.c", "--values", "7")
    assert "steps=5 " in said.out
    assert "values=7 " in said.out


def test_configuration_named_on_the_command_line(heapwright: Heapwright) -> None:
    Path("heapwright.toml").write_text('engine = "shrugs"\n', encoding="utf-8")
    Path("other.toml").write_text('engine = "proves"\n', encoding="utf-8")
    assert heapwright("check", "a.c").code == 3
    assert heapwright("check", "a.c", "--config", "other.toml").code == 0


@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ('property = "valid-free"', "configured: property = valid-free (heapwright.toml:2:1)"),
        ('define = ["NDEBUG", "X=1"]', "configured: define = NDEBUG, X=1 (heapwright.toml:2:1)"),
        ('data-model = "ILP32"', "configured: data-model = ILP32 (heapwright.toml:2:1)"),
        ('externals = "pure"', "configured: externals = pure (heapwright.toml:2:1)"),
        ('inputs = "any"', "configured: inputs = any (heapwright.toml:2:1)"),
    ],
)
def test_settings_of_a_file_that_weaken_an_answer_stand_in_every_report(
    heapwright: Heapwright, line: str, listed: str, tmp_path: Path
) -> None:
    Path("heapwright.toml").write_text(f"# settings\n{line}\n", encoding="utf-8")
    listed = listed.replace("heapwright.toml", str(tmp_path / "heapwright.toml"))
    text = listed.partition(" (")[0]
    for detail in ((), ("-q",), ("-v",)):
        said = heapwright("check", "a.c", "--engine", "proves", "--json", "out.json", "--sarif", "out.sarif", *detail)
        assert f"  - {listed}\n" in said.out
        (first, *_) = json.loads(Path("out.json").read_text(encoding="utf-8"))["assumptions"]
        assert (first["text"], first["line"]) == (text, 2)
        assert f"assumption: {text}" in Path("out.sarif").read_text(encoding="utf-8")


def test_settings_of_a_file_that_the_command_line_replaces_are_not_listed(heapwright: Heapwright) -> None:
    Path("heapwright.toml").write_text('property = "valid-free"\ntimeout = 20\n', encoding="utf-8")
    said = heapwright("check", "a.c", "--engine", "proves", "--property", "valid-memsafety")
    assert "configured" not in said.out


@pytest.mark.parametrize("name", [name for name, setting in OUTPUT.items() if name != "color"])
def test_nothing_in_a_file_runs_or_writes(heapwright: Heapwright, name: str) -> None:
    value = "true" if OUTPUT[name].kind == "flag" else '"out"'
    Path("heapwright.toml").write_text(f"timeout = 3\n{name} = {value}\n", encoding="utf-8")
    before = sorted(Path().iterdir())
    said = heapwright("check", "a.c", "--engine", "proves")
    assert (said.code, said.out, sorted(Path().iterdir())) == (2, "", before)
    assert f"heapwright.toml:2:1: error: '{name}' cannot be set in a file, only on the command line" in said.err


def test_options_of_other_engines_are_refused(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--engine", "tvl", "--numeric", "sat")
    assert said.code == 2
    assert said.err == "heapwright: error: engine 'tvl' has no option 'numeric' (it is an option of fesa)\n"
    for command in ("show", "audit"):
        assert (
            "engine 'fesa' has no option 'join'" in heapwright(command, "a.c", "--engine", "fesa", "--join", "rel").err
        )
    said = heapwright("check", "a.c", "--engine", "fesa", "--show-predicates")
    assert (said.code, "the vocabulary of tvl, not of 'fesa'" in said.err) == (2, True)
    Path("heapwright.toml").write_text('engine = "proves"\nnumeric = "sat"\n', encoding="utf-8")
    assert "engine 'proves' has no option 'numeric'" in heapwright("check", "a.c").err
    assert heapwright("check", "a.c", "--engine", "shrugs").code == 3  # a file may have options of several engines


def test_options_may_stand_between_files(heapwright: Heapwright) -> None:
    Path("b.c").write_text("", encoding="utf-8")
    said = heapwright("check", "a.c", "--engine", "proves", "b.c")
    assert "a.c (+1 file): safe" in said.out
