"""Actions: labels of edges that transform logical structures (TVLA): focus, precondition, messages, updates.

Sections in the order in which they take effect: focus, precondition, messages, new nodes, updates (all of which read
the old values), retain, messages after the update. An action is fully expanded: no parameters are left.
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.base.immutable import EMPTY, Immutable
from heapwright.base.source import Span
from heapwright.logic.formulas import Formula, Kleene


class Message(Immutable):
    """Reported where the formula may hold; `definite` ones of a result are those where it must."""

    formula: Formula
    text: str
    span: Span | None = None


class Update(Immutable):
    """predicate(parameters) = formula. Instrumentation predicates without an update get a derived one; `derived`
    forces that for the written one too."""

    predicate: str
    parameters: tuple[str, ...]
    formula: Formula | None
    derived: bool = False


class NewNodes(Immutable):
    """One fresh node, or a copy for each node of which `formula` over `variable` may hold; `clone` copies values."""

    variable: str = ""
    formula: Formula | None = None
    clone: bool = False


class Action(Immutable):
    title: str
    focus: tuple[Formula, ...] = ()
    precondition: Formula | None = None  # open: fires for each assignment of its free variables
    messages: tuple[Message, ...] = ()
    new: NewNodes | None = None
    updates: tuple[Update, ...] = ()
    retain: tuple[str, Formula] | None = None  # (variable, formula)
    messages_after: tuple[Message, ...] = ()
    span: Span | None = None


class NamedStructure(Immutable):
    """A 3-valued structure as it is written in a file: nodes by name, values that are not 0. Predicates that the file
    does not mention are in neither table (see `mentioned`)."""

    nodes: tuple[str, ...]
    nullary: Mapping[str, Kleene] = EMPTY
    unary: Mapping[str, Mapping[str, Kleene]] = EMPTY
    binary: Mapping[str, Mapping[tuple[str, str], Kleene]] = EMPTY
    summaries: frozenset[str] = frozenset()
    maybe_active: frozenset[str] = frozenset()  # may be absent
    mentioned: frozenset[str] = frozenset()
    span: Span | None = None
    description: str = ""
    messages: tuple[str, ...] = ()  # reported of the structure
