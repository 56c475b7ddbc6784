"""Heap pictures: nodes, arrows and facts, to be drawn, pickled or written to JSON.

One type serves concrete heaps, in which a node is one object, and abstract states: there a node may represent several
objects (`summary`) or none (`optional`), and an arrow or a fact that is not `certain` may be there or not.

>>> list_ = HeapPicture((HeapNode(1), HeapNode(2, summary=True)), (HeapArrow("x", "", 1), HeapArrow(1, "n", 2, False)))
>>> [node.id for node in list_.nodes if node.summary]
[2]
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heapwright.base.source import Span
from heapwright.program.types import FUNCTION_OBJECT


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that holds, or may hold."""

    text: str
    certain: bool = True

    def __str__(self) -> str:
        """As the papers write it; facts that may hold are in parentheses."""
        return self.text if self.certain else f"({self.text})"


@dataclass(frozen=True, slots=True)
class HeapNode:
    """An object, or several that are alike."""

    id: int
    type: str = ""
    storage: str = "heap"  # heap, stack, static; "" where it is not known
    state: str = "live"  # live, freed, ended (out of scope), outside (no such object: a wrong container_of)
    data: tuple[tuple[str, str], ...] = ()  # field or index -> value
    allocated: Span | None = None
    freed: Span | None = None
    count: int | None = None  # of an array
    summary: bool = False
    optional: bool = False
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class HeapArrow:
    """From a variable (`source` its name) or a node (`source` its id) to a node's id, "null", "junk" or "anything". The
    label is the field; of a variable, which part or index of the object it points to, if not its start."""

    source: str | int
    label: str
    target: int | str
    certain: bool = True


@dataclass(frozen=True, slots=True)
class HeapPicture:
    nodes: tuple[HeapNode, ...]
    arrows: tuple[HeapArrow, ...]
    data: tuple[tuple[str, str], ...] = ()  # integer variables
    facts: tuple[Fact, ...] = ()  # about the whole heap


# --- in the words of users -------------------------------------------------------------------------------------------

LITERAL = "string "  # names of variables of string literals begin with it
LIBRARY = "library "  # so do those of variables of models of the C library
FILE = "heapwright_file"  # the struct behind FILE in the bundled headers


def presented(picture: HeapPicture) -> HeapPicture:
    """The picture with names as users write them, without repeated arrows, and without string literals, functions and
    variables of the C library that nothing but the program's text leads to."""
    hidden = [arrow for arrow in picture.arrows if _is_hidden(arrow.source)]
    shown = [arrow for arrow in picture.arrows if not _is_hidden(arrow.source)]
    functions = {node.id for node in picture.nodes if node.type == FUNCTION_OBJECT}
    named = [one for one in shown if one.target in functions and isinstance(one.source, str) and one.source[:1] == "&"]
    others = {end for arrow in shown if arrow not in named for end in (arrow.source, arrow.target)}
    unused = {arrow.target for arrow in (*hidden, *named)} - others
    kept = tuple(node for node in picture.nodes if node.id not in unused)
    data = tuple(one for one in picture.data if not _is_hidden(one[0]))
    arrows_left = tuple(arrow for arrow in shown if arrow.target not in unused)
    picture = replace(picture, nodes=kept, arrows=arrows_left, data=data)
    nodes = tuple(replace(node, type=type_label(node.type), facts=_facts(node.facts)) for node in picture.nodes)
    arrows = tuple(dict.fromkeys(replace(arrow, label=field_label(arrow.label)) for arrow in picture.arrows))
    return replace(picture, nodes=nodes, arrows=arrows, facts=_facts(picture.facts))


def _is_hidden(source: object) -> bool:
    return isinstance(source, str) and source.startswith((LITERAL, LIBRARY))


def type_label(type: str) -> str:
    """The name of a type as users write it."""
    named = "FILE" + type.removeprefix(FILE) if type.startswith(FILE) else type
    return named.replace("[] *", " *")  # a pointer to the first of several


def _facts(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    return tuple(replace(fact, text=fact.text.replace("$", "")) for fact in facts)


def field_label(label: str) -> str:
    """`.tail` leads to a part that has an address of its own; the one field of a scalar that is an object of its own
    has no name.

    >>> [field_label(label) for label in ("tail$", "next", "*", "owner$two.tail")]
    ['.tail', 'next', '', 'in two.tail']
    """
    if label.startswith("owner$"):
        return f"in {label.removeprefix('owner$')}"
    name, dollar, rest = label.partition("$")
    return (f".{name}{rest}" if dollar else label).removeprefix("*")
