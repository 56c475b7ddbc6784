"""Names of what is known of strings: variables beside pointers and numbers, and fields beside cells."""

from __future__ import annotations

from heapwright.engines.floor.domain.differences import Term
from heapwright.engines.floor.domain.layouts import TERMINATOR_OF, Place


def terminator_of(pointer: str) -> str:
    """The variable that is the distance from a pointer to a zero."""
    return f"{TERMINATOR_OF}{pointer}"


def is_terminator(term: Term) -> bool:
    """Whether a term is the place of a zero, of a pointer or an array."""
    name = term if isinstance(term, str) else term[-1]
    return isinstance(name, str) and name.startswith(TERMINATOR_OF)


def terminator_place(place: Place) -> Place:
    """Beside a pointer in a cell: its terminator."""
    return place[0], f"{TERMINATOR_OF}{place[1]}"


def whole_string(pointer: str) -> str:
    """Stands among the strings for a pointer to the start of one whose terminator is its last cell."""
    return f"whole {pointer}"


def tested_place_of(number: str) -> str:
    """The variable that is the distance from a pointer to the character that a variable was loaded from."""
    return f"place of {number}"
