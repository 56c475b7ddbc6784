"""The map of the source: docs/map.svg, a picture of rooms and imports, and docs/map.md, the table behind it.

    python tools/map.py                          writes both
    python tools/map.py --check                  exit code 1 if they are not current
    python tools/map.py --lines [--source DIR]   prints exact lines of code per package, also of another work tree

The layers of the picture are those of the import contract "Rooms". Lines are rounded to two digits, and a map is
current while they are within a tenth, so that a small change needs no new map; a new package or a new edge does.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from layered_drawing import draw
from rooms import Room, layers, lines_by_package, read_rooms

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "heapwright"
CONFIGURATION = ROOT / "pyproject.toml"
TABLE = ROOT / "docs" / "map.md"
PICTURE = ROOT / "docs" / "map.svg"
TOLERANCE, SLACK = 0.1, 30  # lines may differ by this fraction, or by so many

HEADING = """\
# Map

![Rooms, their sub-packages and lines of code; arrows are imports](map.svg)

`make map` writes this page and the picture. A room may import the rooms below it. An arrow that follows from others is
not drawn (`cli` imports `base`, as do most rooms that it imports); the last column has all imports of rooms and
engines. Lines are lines of code, without blank lines, comments and docstrings, with those of sub-packages, to two
digits.

| room | lines | purpose | imports |
|---|---:|---|---|
"""


def table(rooms: Iterable[Room]) -> str:
    rows = (
        f"| `{room.name}` | {room.lines:,} | {room.purpose} | {', '.join(f'`{one}`' for one in room.imports)} |\n"
        for room in rooms
    )
    return HEADING + "".join(rows)


def read_table(text: str) -> list[Room]:
    """The rooms of a table, as `table` writes it."""
    rooms = []
    for name, lines, purpose, imports in re.findall(r"^\| `(.+?)` \| ([\d,]+) \| (.*) \| (.*) \|$", text, re.MULTILINE):
        rooms.append(Room(name, int(lines.replace(",", "")), purpose, tuple(re.findall(r"`(.+?)`", imports))))
    return rooms


def differences(committed: list[Room], current: list[Room]) -> list[str]:
    """Why a map is out of date: packages, edges, and lines that differ by more than a tenth (and thirty).

    >>> differences([Room("a", 100, "", ())], [Room("a", 110, "New words.", ()), Room("b", 5, "", ("a",))])
    ['b is missing']
    """
    before = {room.name: room for room in committed}
    after = {room.name: room for room in current}
    found = [f"{name} is missing" for name in after.keys() - before.keys()]
    found += [f"{name} is gone" for name in before.keys() - after.keys()]
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        found += [f"{name} now imports {one}" for one in set(new.imports) - set(old.imports)]
        found += [f"{name} no longer imports {one}" for one in set(old.imports) - set(new.imports)]
        if abs(new.lines - old.lines) > max(TOLERANCE * old.lines, SLACK):
            found.append(f"{name} has {new.lines} lines, not {old.lines}")
    return sorted(found)


def outdated() -> list[str]:
    """Why the committed table and picture are not current; empty if they are."""
    committed = read_table(TABLE.read_text(encoding="utf-8"))
    order = layers(CONFIGURATION)
    found = differences(committed, read_rooms(SOURCE, order))
    if PICTURE.read_text(encoding="utf-8") != draw(committed, order):
        found.append("map.svg is not the picture of map.md")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the rooms of the source.")
    parser.add_argument("--check", action="store_true", help="exit code 1 if the map is not current")
    parser.add_argument("--lines", action="store_true", help="print exact lines of code per package")
    parser.add_argument("--source", type=Path, default=SOURCE, help="with --lines: the package to count")
    arguments = parser.parse_args()
    if arguments.lines:
        for package, count in sorted(lines_by_package(arguments.source).items()):
            print(f"{package or 'all'}\t{count}")
        return 0
    if arguments.check:
        found = outdated()
        print("\n".join([*found, "help: run make map"]) if found else "the map is current")
        return 1 if found else 0
    order = layers(CONFIGURATION)
    rooms = read_rooms(SOURCE, order)
    TABLE.write_text(table(rooms), encoding="utf-8")
    PICTURE.write_text(draw(rooms, order), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
