"""Specification: a TVP program with all names resolved, as input of an engine.

specification = read_program("reverse.tvp")
specification.graph.edges[0].command.title
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from heapwright.base.immutable import EMPTY, Immutable
from heapwright.base.source import Span
from heapwright.logic.actions import Action, NamedStructure
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary
from heapwright.program.graph import Graph

# Predicates that exist without declaration. The first ones belong to the logic itself and are in no vocabulary; the
# others are ordinary predicates, which a vocabulary has if the program mentions or declares them.
LOGICAL: Mapping[str, int] = {"sm": 1, "ac": 1, "isNew": 1, "instance": 2}
ORDINARY: Mapping[str, Predicate] = {
    "isthread": Predicate("isthread", 1),
    "ready": Predicate("ready", 1),
    "runnable": Predicate("runnable", 1, abstraction=False, unique=True),
    "outside": Predicate("outside", 1),
}
ALIASES: Mapping[str, str] = {"inac": "ac"}


class Remark(Immutable):
    """A warning about a file that was accepted; `ignored`: something that it says has no effect."""

    text: str
    span: Span | None = None
    ignored: bool = False

    def __str__(self) -> str:
        return f"{self.span}: {self.text}" if self.span else self.text


class Specification(Immutable):
    """`labels` names the locations of the graph by index; the first is the entry."""

    file: str
    vocabulary: Vocabulary
    constraints: tuple[Constraint, ...]
    graph: Graph[Action]
    labels: tuple[str, ...]
    printed: tuple[str, ...] = ()  # labels of the last section; empty: all of them
    sets: Mapping[str, tuple[str, ...]] = EMPTY
    options: Mapping[str, str] = EMPTY  # properties
    sources: Mapping[str, str] = EMPTY  # file name -> text, for excerpts
    remarks: tuple[Remark, ...] = ()

    def vocabulary_with(self, structures: Iterable[NamedStructure]) -> Vocabulary:
        """The vocabulary, and those ordinary built-in predicates that only the structures mention."""
        return with_built_in(self.vocabulary, {name for structure in structures for name in structure.mentioned})


def with_built_in(vocabulary: Vocabulary, mentioned: Collection[str]) -> Vocabulary:
    """The vocabulary and those ordinary built-in predicates that are mentioned."""
    more = tuple(predicate for name, predicate in ORDINARY.items() if name in mentioned and name not in vocabulary)
    return Vocabulary((*vocabulary.predicates, *more)) if more else vocabulary
