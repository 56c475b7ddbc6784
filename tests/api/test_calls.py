"""The Python interface: what it returns, what it raises, and what it does not do."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import heapwright

BUGGY = """\
#include <stdlib.h>
int main(void) {
    int *cell = malloc(sizeof *cell);
    free(cell);
    *cell = 1;
    return 0;
}
"""


@pytest.fixture(scope="module")
def buggy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("api") / "buggy.c"
    file.write_text(BUGGY, encoding="utf-8")
    return file


def test_a_violation(buggy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    result = heapwright.check(buggy, engine="explore")
    assert result.verdict == "unsafe"
    (violation,) = result.violations
    assert (violation.kind, violation.line, violation.function) == ("use-after-free", 5, "main")
    assert violation.steps
    assert result.assumptions
    assert json.loads(json.dumps(result.to_json()))["verdict"] == "unsafe"
    assert result.to_json()["schema_version"] == result.schema_version == 1
    assert "use after free" in str(result)
    assert 'id="film-0"' in result.to_html()
    bundle = result._repr_mimebundle_()
    assert bundle["text/plain"] == str(result)
    assert 'sandbox="allow-scripts"' in bundle["text/html"]
    assert "<script>" not in bundle["text/html"]
    with pytest.raises(FrozenInstanceError):
        result.verdict = "safe"  # type: ignore[misc] # that is the point
    assert capfd.readouterr() == ("", "")


def test_errors_have_their_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.c"
    file.write_text("int main(void) { return }", encoding="utf-8")
    with pytest.raises(heapwright.HeapwrightError) as raised:
        heapwright.lower(file)
    assert raised.value.span is not None
    assert raised.value.span.line == 1
    with pytest.raises(heapwright.HeapwrightError, match="does not exist"):
        heapwright.check(tmp_path / "none.c")
    with pytest.raises(heapwright.HeapwrightError, match="unknown engine"):
        heapwright.check(file, engine="none")
    with pytest.raises(heapwright.HeapwrightError, match="no file"):
        heapwright.check()


def test_progress_is_told(buggy: Path) -> None:
    told: list[str] = []
    assert heapwright.check(buggy, engine="explore", progress=told.append).verdict == "unsafe"
    assert told
    assert all(" s: " in text for text in told)


def test_a_precondition(tmp_path: Path) -> None:
    file = tmp_path / "last.c"
    file.write_text("struct n { struct n *n; }; struct n *next(struct n *x) { return x->n; }", encoding="utf-8")
    needs = heapwright.infer(file, function="next")
    assert (needs.satisfiable, [one.words for one in needs.conjuncts]) == (True, ["x is not null"])
    assert needs.contract
    assert needs.to_json()["function"] == "next"
    assert "fails" in needs.to_html()
    assert 'sandbox="allow-scripts"' in needs._repr_mimebundle_()["text/html"]


def test_a_run_and_a_program(buggy: Path) -> None:
    assert heapwright.run(buggy).violation is not None
    assert heapwright.lower(buggy).files == (str(buggy),)


def test_heaps_at_a_line(buggy: Path) -> None:
    shown = heapwright.show(buggy)
    (line,) = shown.heaps(line=4)
    assert line.svgs[0].startswith("<svg")
    assert "cell" in line.texts[0]
    assert "<svg" in line._repr_html_()
    bundle = line._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg")
    assert "cell" in bundle["text/plain"]
    assert bundle["text/html"] == line._repr_html_()
    assert 'sandbox="allow-scripts"' in shown._repr_mimebundle_()["text/html"]
    assert shown.to_json()["views"][0]["line"] == 3
    assert 'id="drawings"' in shown.to_html()


def test_importing_is_light() -> None:
    code = "import sys, heapwright; print(sorted(m for m in sys.modules if m.startswith('heapwright')))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "['heapwright']"
    with pytest.raises(AttributeError):
        getattr(heapwright, "nothing")  # noqa: B009 # a type checker would see it


def test_documented_names_are_there() -> None:
    """What docs/api.md says of signatures is what the functions have."""
    import re

    import api_page

    text = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)\((.*?)\)` \|", text.partition("## Results")[0], re.MULTILINE)
    assert {name for name, _ in rows} == set(heapwright.__all__) - {"HeapwrightError", "__version__"}
    for name, parameters in rows:
        assert parameters == ", ".join(api_page.parameters(getattr(heapwright, name)))
    assert api_page.page() == text, "run tools/api_page.py"
