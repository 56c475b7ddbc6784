"""The example of the document is a program that can be read."""

from __future__ import annotations

import re

from support.paths import ROOT
from tvp.reading import Folder

from heapwright.logic.formulas import text
from heapwright.tvp.reader import read_structures

DOCUMENT = ROOT / "docs" / "tvp.md"


def test_the_example_can_be_read(folder: Folder) -> None:
    blocks = dict(re.findall(r"```(tvp|tvs)\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL))
    specification = folder.program(blocks["tvp"])
    assert specification.labels == ("start", "loop", "step", "done")
    assert [edge.command.title for edge in specification.graph.edges] == ["y = x", "", "y = y->n", ""]
    assert text(specification.graph.edges[2].command.messages[0].formula) == "!(E(v) y(v))"
    assert specification.remarks == ()
    folder.put({"main.tvs": blocks["tvs"]})
    (structure,) = read_structures("main.tvs", specification)
    assert structure.summaries == {"tail"}
