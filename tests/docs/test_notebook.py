"""The notebook in docs/ runs, and shows what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
def test_the_notebook_runs() -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(DOCS / "tour.ipynb", as_version=4)  # type: ignore[no-untyped-call] # it has no types
    NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(DOCS)}}).execute()
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    texts = [str(one.get("text") or one.get("data", {}).get("text/plain", "")) for cell in outputs for one in cell]
    assert texts[0] == "'unsafe'"
    assert "use after free" in texts[1]
    assert any("sandbox" in one.get("data", {}).get("text/html", "") for cell in outputs for one in cell)
    assert any("share no object" in text for text in texts)
    assert "does not exist" in texts[-1]


def test_the_notebook_is_stored_without_outputs() -> None:
    import json

    notebook = json.loads((DOCS / "tour.ipynb").read_text(encoding="utf-8"))
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook["cells"])
