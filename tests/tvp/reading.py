"""Specifications for tests: small texts in files of a temporary folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from heapwright.base.errors import HeapwrightError
from heapwright.logic.actions import Action, NamedStructure
from heapwright.tvp.reader import read_program, read_structures
from heapwright.tvp.specification import Specification

LIST = """
    %s PVar {x, y}
    foreach (z in PVar) { %p z(v) unique pointer }
    %p n(v1, v2) function
    %p flag()
    %i r[n,x](v) = E(w) (x(w) & n*(w, v))
"""
END = "%% a go() b"


class Folder:
    """A folder that programs are read from; names of files are relative to it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            target = self.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")

    def program(self, text: str, *, defines: Sequence[str] = (), **files: str) -> Specification:
        self.put({"main.tvp": text, **files})
        return read_program("main.tvp", defines=defines)

    def declared(self, text: str) -> Specification:
        """A program with these declarations and one action that does nothing."""
        return self.program(f"{dedent(text)}\n%% %action go() {{ }}\n{END}")

    def action(self, body: str, use: str = "go()", head: str = "go()", declarations: str = LIST) -> Action:
        """The action of the one edge, `head` with this body, used as `use`."""
        text = f"{dedent(declarations)}\n%%\n%action {head} {{\n{dedent(body)}\n}}\n%%\na {use} b"
        return self.program(text).graph.edges[0].command

    def structures(self, text: str, declarations: str = LIST, **options: Sequence[str]) -> tuple[NamedStructure, ...]:
        specification = self.declared(declarations)
        self.put({"main.tvs": text})
        return read_structures("main.tvs", specification, **options)

    def failure(self, text: str, **files: str) -> HeapwrightError:
        with pytest.raises(HeapwrightError) as caught:
            self.program(text, **files)
        return caught.value

    def refusal(self, text: str) -> HeapwrightError | None:
        """What is wrong with a program, or None if it can be read."""
        try:
            self.program(text)
        except HeapwrightError as error:
            return error
        return None
