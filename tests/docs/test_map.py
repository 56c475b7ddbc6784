"""The map of the source: what is counted, what is drawn, and that the committed map is current."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import map as map_tool
from layered_drawing import draw
from rooms import Room, code_lines, layers, lines_by_package, read_rooms

ROOMS = [
    Room("top", 1200, "Above.", ("bottom", "house")),
    Room("top.part", 700, "Inside of it.", ()),
    Room("house", 500, "Cards.", ("bottom",)),
    Room("house.first", 300, "A card.", ("bottom", "house.kit")),
    Room("house.kit", 200, "Below the card.", ("bottom",)),
    Room("bottom", 90, "Below.", ()),
]
LAYERS = [["top"], ["house"], ["bottom"]]


def test_the_map_is_current() -> None:
    assert map_tool.outdated() == [], "run make map"


def test_lines_of_code_are_counted_without_comments_and_docstrings() -> None:
    text = '"""Of the\nmodule."""\n\n# comment\nclass A:\n    """Of a class."""\n\n    x = """\n# text\n\n"""  # code\n'
    assert code_lines(text) == 4


def test_a_table_is_read_as_it_was_written() -> None:
    assert map_tool.read_table(map_tool.table(ROOMS)) == ROOMS


def test_small_changes_need_no_new_map() -> None:
    nearly = [Room(room.name, room.lines + room.lines // 20, "Other words.", room.imports) for room in ROOMS]
    assert map_tool.differences(ROOMS, nearly) == []


def test_packages_edges_and_large_changes_do() -> None:
    changed = [
        Room("top", 1500, "Above.", ("house",)),
        Room("house", 500, "Cards.", ("bottom", "new")),
        *ROOMS[3:],
        Room("new", 5, "", ()),
    ]
    assert map_tool.differences(ROOMS, changed) == [
        "house now imports new",
        "new is missing",
        "top has 1500 lines, not 1200",
        "top no longer imports bottom",
        "top.part is gone",
    ]


def test_every_room_is_drawn_and_arrows_that_follow_from_others_are_not() -> None:
    picture = ElementTree.fromstring(draw(ROOMS, LAYERS))
    texts = [element.text for element in picture.findall(".//{*}text")]
    assert texts == ["top", "1,200", "part", "700", "house", "500", "first", "300", "kit", "200", "bottom", "90"]
    edges = [path.findtext("{*}title") for path in picture.findall(".//{*}path") if path.get("class") == "edge"]
    assert edges == ["top imports house", "house imports bottom"]


def test_packages_and_imports_are_read_from_the_source(tmp_path: Path) -> None:
    source = tmp_path / "mapped_package"
    for name, text in {
        "__init__": "",
        "upper/__init__": '"""Above.\n\nMore."""',
        "upper/part/__init__": '"""Part."""',
        "upper/part/module": "from mapped_package.lower import x\n\ny = x\n",
        "lower/__init__": '"""Below."""\nx = 1\n',
    }.items():
        path = source / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert lines_by_package(source) == {"": 3, "lower": 1, "upper": 2, "upper.part": 2}
    assert read_rooms(source, [["upper"], ["lower"]]) == [
        Room("upper", 2, "Above.", ("lower",)),
        Room("upper.part", 2, "Part.", ()),
        Room("lower", 1, "Below.", ()),
    ]


def test_layers_are_those_of_the_import_contract() -> None:
    order = [room for layer in layers(map_tool.CONFIGURATION) for room in layer]
    assert order.index("cli") < order.index("engines") < order.index("program") < order.index("base")
