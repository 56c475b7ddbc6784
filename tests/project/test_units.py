"""What there is to analyse: programs with the files that they link with, functions of libraries, errors as rows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from project.trees import LEAKS, LIST, SAFE, write_tree

from heapwright.base.errors import InputError, UsageError
from heapwright.c.options import ParseOptions
from heapwright.project.running.scan import scan
from heapwright.project.units.compilations import find_compilations
from heapwright.project.units.discovery import changed_units, find_units
from heapwright.project.units.link_steps import LinkSteps, link_steps
from heapwright.project.units.selection import Selection, changed_since, parse_shard, selected, shard_of
from heapwright.project.units.unit import Unit


def units_of(root: Path, links: LinkSteps | None = None) -> dict[str, Unit]:
    tree = find_compilations(str(root), ParseOptions())
    facts = scan(tree.compilations, 1)
    found = [(one, facts[number]) for number, one in enumerate(tree.compilations)]
    return {unit.name: unit for unit in find_units(tree.root, found, links or LinkSteps())}


def files(unit: Unit) -> list[str]:
    return [Path(one.file).name for one in unit.compilations]


def test_programs_libraries_and_errors_of_a_directory(tmp_path: Path) -> None:
    others = {"lib.c": "static int f(void) { return 0; }\nint g(void) { return f(); }\n", "bad.c": "int x = ;\n"}
    units = units_of(write_tree(tmp_path, {**LIST, **others}))
    assert set(units) == {"main.c", "lib.c:g", "bad.c"}
    assert files(units["main.c"]) == ["main.c", "list.c"]
    assert {Path(file).name for file in units["main.c"].files} == {"main.c", "list.c", "list.h"}
    assert "expected expression" in units["bad.c"].error


def test_folders_of_headers_are_guessed_the_nearest_first(tmp_path: Path) -> None:
    tree = {
        "a/include/lib/x.h": "int fa(void);\n",
        "b/include/lib/x.h": "int fb(void);\n",
        "a/src/m.c": "#include <lib/x.h>\nint main(void) { return fa(); }\n",
    }
    (unit,) = units_of(write_tree(tmp_path, tree)).values()
    assert not unit.error


def test_a_name_with_several_definitions_is_named(tmp_path: Path) -> None:
    main = "int f(void);\nint main(void) { return f(); }\n"
    tree = {
        "p/main.c": main,
        "p/f.c": "int f(void) { return 0; }",
        "q/f.c": "int f(void) { return 1; }",
        "r/main.c": main,
    }
    units = units_of(write_tree(tmp_path, tree))
    assert files(units["p/main.c"]) == ["main.c", "f.c"]
    assert "'f' is defined in several files (f.c, f.c): taken from the same directory" in units["p/main.c"].notes[0]
    assert files(units["r/main.c"]) == ["main.c"]
    assert "not linked" in units["r/main.c"].notes[0]


def database(root: Path, entries: list[dict[str, str]]) -> None:
    (root / "build").mkdir(exist_ok=True)
    lines = [{"directory": str(root / "build"), **entry} for entry in entries]
    (root / "build" / "compile_commands.json").write_text(json.dumps(lines))


def test_a_file_with_two_sets_of_flags_is_two_units(tmp_path: Path) -> None:
    write_tree(tmp_path, {"m.c": SAFE})
    database(tmp_path, [{"file": "../m.c", "command": f"cc -DN={n} -c ../m.c"} for n in (1, 2)])
    assert set(units_of(tmp_path)) == {"m.c", "m.c#2"}


def test_a_library_that_is_built_twice_is_linked_once(tmp_path: Path) -> None:
    """As CMake does it for a static and a shared library: the options are equal, or have one more macro."""
    write_tree(tmp_path, {"m.c": "int f(void);\nint main(void) { return f(); }\n", "f.c": "int f(void) { return 0; }"})
    entries = [{"file": "../m.c", "command": "cc -c ../m.c", "output": "m.o"}]
    entries += [
        {"file": "../f.c", "command": f"cc {flag} -c ../f.c", "output": f"f{flag}.o"} for flag in ("-O", "-DS", "-g")
    ]
    database(tmp_path, entries)
    units = units_of(tmp_path)
    assert set(units) == {"m.c", "f.c#2:f"}
    assert (files(units["m.c"]), units["m.c"].notes) == (["m.c", "f.c"], ())


def test_link_steps_of_cmake_decide_between_definitions(tmp_path: Path) -> None:
    main = "int f(void);\nint main(void) { return f(); }\n"
    write_tree(tmp_path, {"main.c": main, "x/f.c": "int f(void) { return 0; }", "y/f.c": "int f(void) { return 1; }"})
    names = {"main.c": "app", "x/f.c": "one", "y/f.c": "two"}
    objects = {file: f"CMakeFiles/{target}.dir/{file}.o" for file, target in names.items()}
    database(tmp_path, [{"file": f"../{one}", "command": "cc -c", "output": objects[one]} for one in names])
    steps = {
        "app": f"cc {objects['main.c']} -o app libtwo.a",
        "one": f"ar qc libone.a {objects['x/f.c']}",
        "two": f"ar qc libtwo.a {objects['y/f.c']}",
    }
    write_tree(tmp_path / "build", {f"CMakeFiles/{name}.dir/link.txt": text for name, text in steps.items()})
    units = units_of(tmp_path, link_steps(str(tmp_path / "build")))
    assert [Path(one.file).parent.name for one in units["main.c"].compilations] == [tmp_path.name, "y"]
    assert set(units) == {"main.c", "x/f.c:f"}


def test_replies_of_the_file_api(tmp_path: Path) -> None:
    targets = {
        "app": {"type": "EXECUTABLE", "sources": [{"path": "main.c"}], "dependencies": [{"id": "lib"}]},
        "lib": {"type": "STATIC_LIBRARY", "sources": [{"path": "y/f.c"}]},
    }
    model = {
        "paths": {"source": str(tmp_path)},
        "configurations": [{"targets": [{"id": name, "jsonFile": f"{name}.json"} for name in targets]}],
    }
    reply = {f"{name}.json": json.dumps(target) for name, target in targets.items()}
    write_tree(tmp_path / "b/.cmake/api/v1/reply", {**reply, "codemodel-v2-0.json": json.dumps(model)})
    found = link_steps(str(tmp_path / "b"))
    assert found.programs == [frozenset({str(tmp_path / "main.c"), str(tmp_path / "y/f.c")})]


def test_selection_by_pattern_directory_function_and_shard() -> None:
    units = [Unit(name, name.partition(":")[2] or "main", (), ()) for name in ("a/m.c", "a/l.c:push", "b/l.c:pop")]

    def names(**chosen: tuple[str, ...]) -> list[str]:
        return [unit.name for unit in selected(units, Selection(**chosen))]  # type: ignore[arg-type]

    assert names(select=("a",)) == ["a/m.c", "a/l.c:push"]
    assert names(select=("p*",)) == ["a/l.c:push", "b/l.c:pop"]
    assert names(exclude=("*.c:*",)) == ["a/m.c"]
    with pytest.raises(InputError, match="no unit matches 'pusch'"):
        names(select=("push", "pusch"))
    shards = [[unit.name for unit in selected(units, Selection(shard=(k, 3)))] for k in (1, 2, 3)]
    assert sorted(name for shard in shards for name in shard) == sorted(unit.name for unit in units)
    assert shard_of("a/m.c", 3) == shard_of("a/m.c", 3)
    for text in ("0/2", "3/2", "1", "-1/2"):
        with pytest.raises(UsageError):
            parse_shard(text)


def test_changed_since_has_what_depends_on_a_changed_or_new_file(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "r", {**LIST, "other.c": SAFE})
    git = ("git", "-C", str(root), "-c", "user.name=n", "-c", "user.email=e")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "one")):
        subprocess.run([*git, *words], check=True, capture_output=True)
    units = units_of(root)

    def changed() -> set[str]:
        absent = {str(root / "other.c"): frozenset({str(root / "new.h")})}
        return {unit.name for unit in changed_units(units.values(), absent, changed_since(str(root), "HEAD"))}

    assert changed() == set()
    (root / "list.h").write_text("// changed\n" + LIST["list.h"])
    assert changed() == {"main.c"}
    (root / "new.h").write_text("")
    assert changed() == {"main.c", "other.c"}
    with pytest.raises(UsageError):
        changed_since(str(root), "--output=x")
    with pytest.raises(InputError, match="git cannot compare"):
        changed_since(str(root), "nowhere")


def test_paths_that_are_no_projects(tmp_path: Path) -> None:
    for path, text in ((tmp_path / "none", "does not exist"), (tmp_path, "no C file")):
        with pytest.raises(InputError, match=text):
            find_compilations(str(path), ParseOptions())
    (tmp_path / "a.c").write_text(LEAKS)
    with pytest.raises(InputError, match="no compilation database"):
        find_compilations(str(tmp_path / "a.c"), ParseOptions())


def test_a_file_at_which_the_parser_dies_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from heapwright.project.running import scan as module

    real = module._facts

    def dies(compilation):  # type: ignore[no-untyped-def]
        if compilation.file.endswith("b.c"):
            os.kill(os.getpid(), signal.SIGKILL)
            threading.Event().wait()
        return real(compilation)

    monkeypatch.setattr(module, "_facts", dies)
    monkeypatch.setattr(module, "MOST", 64)
    units = units_of(write_tree(tmp_path, {f"{name}.c": SAFE for name in "abc"}))
    assert {name: bool(unit.error) for name, unit in units.items()} == {"a.c": False, "b.c": True, "c.c": False}
    assert "SIGKILL" in units["b.c"].error
