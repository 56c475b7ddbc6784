"""A second prover: what it says counts only if it says that there is no model."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from heapwright.base.errors import UsageError
from heapwright.engines.infer.algorithm import ProverResult
from heapwright.engines.infer.external_prover import ExternalProver
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.structure import Vocabulary, unknown
from heapwright.smt.session import Answer, Query

CONTRADICTION = "(declare-const p Bool)\n(assert (and p (not p)))\n(check-sat)\n"
LISTS = Vocabulary(("x",))


def _says(folder: Path, text: str, code: int = 0) -> ExternalProver:
    program = folder / "prover"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1]).read()\nprint({text!r})\nsys.exit({code})\n"
    )
    program.chmod(0o755)
    return ExternalProver((str(program),))


def test_only_a_refutation_is_believed(tmp_path: Path) -> None:
    assert _says(tmp_path, "unsat").refutes(CONTRADICTION)
    assert _says(tmp_path, "% SZS status Unsatisfiable for question").refutes(CONTRADICTION)
    for text in ("sat", "unknown", "unsatisfied", "", "timeout"):
        assert not _says(tmp_path, text, code=1).refutes(CONTRADICTION)
    assert not ExternalProver((str(tmp_path / "nothing"),)).refutes(CONTRADICTION)


def test_a_prover_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Path(sys.executable).parent / "z3"
    if not program.exists():
        pytest.skip("z3 comes without its program here")
    monkeypatch.setenv("PATH", str(program.parent))
    second = ExternalProver.find("z3")
    assert second.refutes(CONTRADICTION)
    assert not second.refutes("(declare-const p Bool)\n(assert p)\n(check-sat)\n")
    with pytest.raises(UsageError, match="is not installed"):
        ExternalProver.find("vampire")


@pytest.mark.parametrize(("text", "verdict"), [("unsat", ProverResult.UNSAT), ("sat", ProverResult.UNKNOWN)])
def test_it_is_asked_where_z3_does_not_find_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, verdict: ProverResult
) -> None:
    monkeypatch.setattr(Query, "_checked", lambda query, formulas: Answer.UNKNOWN)
    solver = Solver(LISTS, external=_says(tmp_path, text))
    assert solver.possible(unknown(LISTS)) is verdict
    assert solver.counts.unknown == (verdict is ProverResult.UNKNOWN)
    assert Solver(LISTS).possible(unknown(LISTS)) is ProverResult.UNKNOWN
