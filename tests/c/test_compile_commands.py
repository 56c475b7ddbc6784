"""What is taken over from a compile_commands.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heapwright.base.errors import InputError
from heapwright.c.compile_commands import options_for
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse


def database(folder: Path, **entry: Any) -> str:
    path = folder / "compile_commands.json"
    path.write_text(json.dumps([{"directory": str(folder), "file": "a.c", **entry}]))
    (folder / "a.c").write_text("int x;")
    return str(path)


def read(folder: Path, base: ParseOptions | None = None, **entry: Any) -> ParseOptions:
    return options_for(str(folder / "a.c"), database(folder, **entry), base or ParseOptions())


def test_command(tmp_path: Path) -> None:
    command = "cc -I inc -Iother -I/abs -DA -D B=2 '-DC=\"x y\"' -std=c99 -m32 -O2 -Wall -c a.c -o a.o"
    options = read(tmp_path, command=command)
    assert options.include_dirs == (f"{tmp_path}/inc", f"{tmp_path}/other", "/abs")
    assert options.defines == ("A", "B=2", 'C="x y"')
    assert (options.std, options.model, options.extra) == ("c99", "ILP32", ())


def test_arguments(tmp_path: Path) -> None:
    arguments = ["cc", "-isystem", "sys", "-iquoteq", "-UX", "-U", "Y", "-fshort-enums", "-fPIC", "a.c"]
    options = read(tmp_path, arguments=arguments)
    assert options.extra == ("-isystem", f"{tmp_path}/sys", "-iquote", f"{tmp_path}/q", "-UX", "-UY", "-fshort-enums")


def test_forced_include(tmp_path: Path) -> None:
    (tmp_path / "config.h").write_text("#define FROM_CONFIG 1\n")
    options = read(tmp_path, arguments=["cc", "-include", "config.h", "-include", "stdlib.h", "a.c"])
    assert options.extra == ("-include", f"{tmp_path}/config.h", "-include", "stdlib.h")
    (tmp_path / "a.c").write_text("int x = FROM_CONFIG;")
    assert parse(str(tmp_path / "a.c"), options).globals


def test_the_user_has_the_last_word(tmp_path: Path) -> None:
    base = ParseOptions(std="c11", include_dirs=("mine",), defines=("A=9",))
    options = read(tmp_path, base, arguments=["cc", "-std=c99", "-Iinc", "-DA=1", "a.c"])
    assert options.std == "c11"
    assert options.include_dirs == ("mine", f"{tmp_path}/inc")
    assert options.defines == ("A=1", "A=9")


def test_relative_folders(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.c").write_text("int x;")
    path = tmp_path / "compile_commands.json"
    path.write_text(json.dumps([{"directory": "src", "file": "a.c", "command": "cc -Iinc a.c"}]))
    for where in (str(path), str(tmp_path)):
        options = options_for(str(tmp_path / "src" / "a.c"), where, ParseOptions())
        assert options.include_dirs == (f"{tmp_path}/src/inc",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("{}", "is not a list of compile commands"),
        ("[1]", "is not a list of compile commands"),
        ("[]", "has no entry for"),
        ('[{"directory": ".", "file": "a.c", "command": "cc \'"}]', "has a command that cannot be read"),
    ],
)
def test_bad_database(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.c").write_text("int x;")
    path = tmp_path / "compile_commands.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        options_for(str(tmp_path / "a.c"), str(path), ParseOptions())


def test_missing_database(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        options_for("a.c", str(tmp_path / "none.json"), ParseOptions())
