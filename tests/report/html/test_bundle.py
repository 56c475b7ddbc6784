"""The script of pages is what its modules say."""

from __future__ import annotations

from pathlib import Path

import pytest
from bundle import BUNDLE, MODULES, BundleError, bundle


def test_the_bundle_is_current() -> None:
    assert BUNDLE.read_text(encoding="utf-8") == bundle(MODULES), "run `make bundle`"


def written(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder


def test_modules_come_after_those_that_they_import(tmp_path: Path) -> None:
    main = 'import {one} from "./a.js";\nimport {two} from "./b.js";\none + two;\n'
    folder = written(
        tmp_path, main=main, a='import {two} from "./b.js";\nexport const one = two;\n', b="export let two = 2;\n"
    )
    text = bundle(folder)
    assert text.index("let two = 2;") < text.index("const one = two;") < text.index("one + two;")
    assert "import" not in text.split('"use strict";')[1]
    assert "export" not in text


@pytest.mark.parametrize(
    ("modules", "complaint"),
    [
        ({"main": 'import {one} from "./a.js";\n', "a": "const one = 1;\n"}, "which a.js does not export"),
        ({"main": 'import {one} from "./a.js";\n'}, "there is no a.js"),
        ({"main": "let x = 1;\n", "a": "let y = 1;\n"}, "a.js is imported by no module"),
        (
            {"main": 'import {one} from "./a.js";\nfunction two() {}\n', "a": "export const one = 1, two = 2;\n"},
            "both declare two",
        ),
        (
            {"main": 'import {one} from "./a.js";\n', "a": 'import {two} from "./b.js";\nexport const one = two;\n'}
            | {"b": 'import {one} from "./a.js";\nexport const two = one;\n'},
            "modules import each other: main, a, b, a",
        ),
    ],
    ids=["not exported", "missing", "unused", "twice", "circle"],
)
def test_what_cannot_be_bundled(tmp_path: Path, modules: dict[str, str], complaint: str) -> None:
    with pytest.raises(BundleError, match=complaint):
        bundle(written(tmp_path, **modules))
