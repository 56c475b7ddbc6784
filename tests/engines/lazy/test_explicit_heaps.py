"""Small heaps one by one: what they decide, and that larger ones are left to refinement."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import yaml
from engines.lazy.programs import HEAD, WITHOUT_LEAKS, broken, compiled, published

from heapwright.analysis.judgement import run_engine
from heapwright.cli import main
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.report.json_report import SCHEMA
from heapwright.result.outcomes import ProgramVerdict, Result

AS_LONG_AS_COUNTED = """int main(void) {
    struct node *list = NULL;
    int count = 0;
    while (count < 4 && __VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        count++;
        x->h = 2 * count;
        x->n = list;
        list = x;
    }
    while (count > LEFT) {
        struct node *x = list;
        list = x->n;
        count--;
        if (x->h < 9) free(x);
    }
    return 0;
}"""


def answer(program: Program, goal: Goal | None = None) -> Result:
    return run_engine(load_engine("lazy"), program, goal or Goal(), Limits(), NullProgress())


def test_a_counter_that_says_how_long_a_list_is(tmp_path: Path) -> None:
    result = answer(compiled(tmp_path, AS_LONG_AS_COUNTED.replace("LEFT", "0")))
    assert result.verdict is ProgramVerdict.SAFE
    assert {outcome.engine for outcome in result.outcomes} == {"lazy"}
    assert result.proof is not None
    assert "states" in result.proof.shape_precision[0]


def test_violations(tmp_path: Path) -> None:
    lost = answer(compiled(tmp_path, AS_LONG_AS_COUNTED.replace("LEFT", "1")))
    assert lost.verdict is ProgramVerdict.UNSAFE
    assert lost.proof is None
    assert "17:null-deref" in broken(answer(compiled(tmp_path, AS_LONG_AS_COUNTED.replace("LEFT", "-1"))))


def test_larger_heaps_are_refined() -> None:
    result = answer(published("simple_backw"), WITHOUT_LEAKS)
    assert result.verdict is ProgramVerdict.SAFE
    assert int(result.stats["refinements"]) > 0


def test_an_unselected_check(tmp_path: Path) -> None:
    """It ends runs, so that nothing can be said of what comes after it."""
    text = (
        "int main(void) { struct node *x = NULL; if (__VERIFIER_nondet_int()) x->h = 1; assert(x == NULL); return 0; }"
    )
    result = answer(compiled(tmp_path, text), Goal(frozenset({CheckKind.ASSERT})))
    assert result.verdict is ProgramVerdict.UNKNOWN


def test_reports(tmp_path: Path) -> None:
    file, report, folder = tmp_path / "counted.c", tmp_path / "report.json", tmp_path / "witness"
    file.write_text(HEAD + AS_LONG_AS_COUNTED.replace("LEFT", "0"), encoding="utf-8")
    assert main(["check", str(file), "--engine", "lazy", "--json", str(report), "--witness", str(folder)]) == 0
    jsonschema.validate(json.loads(report.read_text(encoding="utf-8")), json.loads(SCHEMA.read_text(encoding="utf-8")))
    (entry,) = yaml.safe_load((folder / "counted-proof.yml").read_text(encoding="utf-8"))
    assert entry["entry_type"] == "invariant_set"
