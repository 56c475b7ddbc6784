"""Structures written in TVS syntax, as `read_structures` and `read_locations` read them back.

>>> print(structures_text([NamedStructure(("u",), unary={"x": {"u": Kleene.TRUE}}, summaries=frozenset("u"))]), end="")
%n = {u}
%p = {
  sm = {u:1/2}
  x = {u}
}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from heapwright.logic.actions import NamedStructure
from heapwright.logic.formulas import Kleene
from heapwright.tvp.syntax.structure_parser import LocationStructures

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$.]*")
_NODE = re.compile(r"(?:[A-Za-z_$][A-Za-z0-9_$.]*|\[.*\])(?:\.[01])*")
_NAMES_IN_BRACKETS = re.compile(r"[\[\],.A-Za-z0-9_$]*")


def structures_text(structures: Iterable[NamedStructure]) -> str:
    """The structures one after the other."""
    return "\n".join(_structure(structure, "") for structure in structures)


def locations_text(located: Iterable[LocationStructures]) -> str:
    """The structures of each location in a `%location` block."""
    blocks: list[str] = []
    for location in located:
        label = location.label if _IDENTIFIER.fullmatch(location.label) else _quoted(location.label)
        inside = "\n".join(_structure(structure, "  ") for structure in location.structures)
        blocks.append(f"%location {label} = {{\n{inside}}}\n")
    return "\n".join(blocks)


def _structure(structure: NamedStructure, indent: str) -> str:
    names = _node_names(structure.nodes)
    lines: list[str] = []
    if structure.description:
        lines.append(f"%d = {{{_quoted(structure.description)}}}")
    lines.extend(f"%message {_quoted(message)}" for message in structure.messages)
    lines.append(f"%n = {{{', '.join(names.values())}}}")
    lines.append("%p = {")
    lines.extend(f"  {line}" for line in _values(structure, names))
    lines.append("}")
    return "".join(f"{indent}{line}\n" for line in lines)


def _values(structure: NamedStructure, names: Mapping[str, str]) -> list[str]:
    lines: list[str] = []
    for predicate, nodes in (("sm", structure.summaries), ("ac", structure.maybe_active)):
        if nodes:
            marked = ", ".join(f"{name}:1/2" for node, name in names.items() if node in nodes)
            lines.append(f"{predicate} = {{{marked}}}")
    lines.extend(f"{predicate} = {value.value}" for predicate, value in structure.nullary.items())
    for predicate, of_nodes in structure.unary.items():
        entries = ", ".join(names[node] + _value(value) for node, value in of_nodes.items())
        lines.append(f"{predicate} = {{{entries}}}")
    for predicate, of_pairs in structure.binary.items():
        entries = ", ".join(f"{names[a]}->{names[b]}{_value(value)}" for (a, b), value in of_pairs.items())
        lines.append(f"{predicate} = {{{entries}}}")
    given = structure.nullary.keys() | structure.unary.keys() | structure.binary.keys()
    lines.extend(f"{predicate} = {{}}" for predicate in sorted(structure.mentioned - given))
    return lines


def _value(value: Kleene) -> str:
    return "" if value is Kleene.TRUE else f":{value.value}"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'").replace("\n", "\\n") + '"'


def _node_names(nodes: tuple[str, ...]) -> dict[str, str]:
    """A name for each node that can be written: its own, or a fresh one if that is no name of the language."""
    taken = set(nodes)
    names: dict[str, str] = {}
    fresh = 0
    for node in nodes:
        name = node
        if not _writable(node):
            while (name := f"u{fresh}") in taken:
                fresh += 1
            taken.add(name)
        names[node] = name
    return names


def _writable(node: str) -> bool:
    """Whether a name reads back as itself; brackets must match and hold names."""
    if _NODE.fullmatch(node) is None or _NAMES_IN_BRACKETS.fullmatch(node) is None:
        return False
    if "[" not in node:
        return True
    if not node.startswith("["):
        return False
    depth = 0
    for index, character in enumerate(node):
        depth += (character == "[") - (character == "]")
        if depth == 0:
            inside = node[1:index]
            rest = node[index + 1 :]
            return re.fullmatch(r"(?:\.[01])*", rest) is not None and all(map(_writable, _parts(inside)))
    return False


def _parts(text: str) -> list[str]:
    """The items of a list of names, whose commas in brackets do not part."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
