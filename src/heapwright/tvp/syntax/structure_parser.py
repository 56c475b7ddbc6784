"""The parser for TVS files: structures `%n = {nodes} %p = {values}`, alone or in `%location` blocks.

A missing value is 1, an entry that is missing is 0. The built-in predicates `sm` and `ac` (also written `inac`) say
which nodes are summaries and which may be absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.base.immutable import Immutable
from heapwright.logic.actions import NamedStructure
from heapwright.logic.formulas import Kleene
from heapwright.logic.vocabulary import Vocabulary
from heapwright.tvp.preprocessing.tokens import END, NAME, STRING, Token
from heapwright.tvp.specification import ALIASES, LOGICAL, ORDINARY
from heapwright.tvp.syntax.token_stream import Stream

K = TypeVar("K")


class LocationStructures(Immutable):
    """The structures of one `%location` block; the label is empty outside such blocks."""

    label: str
    structures: tuple[NamedStructure, ...]


def parse_structures(tokens: Sequence[Token], vocabulary: Vocabulary) -> tuple[LocationStructures, ...]:
    """The structures of a file by location, in order."""
    try:
        return _Parser(tokens, vocabulary).file()
    except RecursionError:
        raise InputError("the names of nodes are nested too deeply", tokens[0].span) from None


class _Values:
    def __init__(self, nodes: tuple[str, ...]) -> None:
        self.nodes = nodes
        self.nullary: dict[str, Kleene] = {}
        self.unary: dict[str, dict[str, Kleene]] = {}
        self.binary: dict[str, dict[tuple[str, str], Kleene]] = {}
        self.mentioned: set[str] = set()


class _Parser(Stream):
    def __init__(self, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
        super().__init__(tokens)
        self.vocabulary = vocabulary

    def file(self) -> tuple[LocationStructures, ...]:
        if self.token.text != "%location":
            structures = self._structures()
            if self.token.kind != END:
                raise self.unexpected("a structure, written %n = {...} %p = {...}")
            return (LocationStructures("", structures),)
        found: list[LocationStructures] = []
        while self.accept("%location"):
            label = self.take().text[1:-1] if self.token.kind == STRING else self.identifier("a label").text
            self.expect("=")
            opening = self.expect("{")
            found.append(LocationStructures(label, self._structures()))
            self.close("}", opening)
        if self.token.kind != END:
            raise self.unexpected("'%location'")
        return tuple(found)

    def _structures(self) -> tuple[NamedStructure, ...]:
        found: list[NamedStructure] = []
        while True:
            if self.token.text == ",":
                self.take()
            if self.token.text not in ("%n", "%d", "%message", "%t"):
                return tuple(found)
            found.append(self._structure())

    def _structure(self) -> NamedStructure:
        first = self.token
        messages: list[str] = []
        description = ""
        while self.token.text in ("%d", "%message"):
            if self.take().text == "%d":
                self.expect("=")
                opening = self.expect("{")
                description = self._string()
                self.close("}", opening)
            else:
                messages.append(self._string())
        if self.token.text == "%t":
            raise UnsupportedError("thread (%t) in a structure", self.token.span)
        values = _Values(self._nodes())
        self.expect("%p", "and the values of predicates")
        self.expect("=")
        opening = self.expect("{")
        while self.token.kind == NAME:
            self._predicate(values)
        self.close("}", opening)
        if self.token.text == "%a":
            raise UnsupportedError("automaton state (%a) in a structure", self.token.span)
        summaries = values.unary.pop("sm", {})
        maybe_active = values.unary.pop("ac", {})
        return NamedStructure(
            values.nodes,
            values.nullary,
            {name: table for name, table in values.unary.items() if table},
            {name: table for name, table in values.binary.items() if table},
            frozenset(summaries),
            frozenset(node for node, value in maybe_active.items() if value is Kleene.HALF),
            frozenset(values.mentioned),
            first.span,
            description,
            tuple(messages),
        )

    def _string(self) -> str:
        if self.token.kind != STRING:
            raise self.unexpected("a string")
        return self.take().text[1:-1]

    def _nodes(self) -> tuple[str, ...]:
        self.expect("%n", "and the nodes")
        self.expect("=")
        opening = self.expect("{")
        found: dict[str, None] = {}
        while self.token.text != "}":
            if found:
                self.expect(",", "or '}'")
            token = self.token
            node = self._node()
            if node in found:
                raise InputError(f"node {node} is declared twice", token.span)
            found[node] = None
        self.close("}", opening)
        return tuple(found)

    def _node(self) -> str:
        if self.token.text == "[":
            opening = self.take()
            parts = [self._node()]
            while self.accept(","):
                parts.append(self._node())
            self.close("]", opening)
            name = f"[{','.join(parts)}]"
        elif self.token.kind == NAME:
            name = self.take().text
        else:
            raise self.unexpected("a node")
        while self.token.text in (".0", ".1"):
            name += self.take().text
        return name

    def _known_node(self, values: _Values) -> str:
        token = self.token
        node = self._node()
        if node not in values.nodes:
            raise InputError(f"node {node} is not declared in this structure", token.span)
        return node

    def _predicate(self, values: _Values) -> None:
        token = self.token
        name = str(self.name("a predicate"))
        name = name if name in self.vocabulary else ALIASES.get(name, name)
        if name in self.vocabulary:
            arity = self.vocabulary[name].arity
        elif name in LOGICAL or name in ORDINARY:
            arity = LOGICAL.get(name, 1)
        else:
            raise InputError(f"predicate {name} is not declared", token.span)
        if name not in ("sm", "ac"):
            values.mentioned.add(name)
        self.expect("=")
        if self.token.text != "{":
            if arity != 0:
                raise InputError(f"predicate {name} has {arity} arguments, it needs a list of nodes", token.span)
            value = self._value()
            if value is not Kleene.FALSE:
                values.nullary[name] = value
            else:
                values.nullary.pop(name, None)
            return
        opening = self.take()
        while self.token.text != "}":
            self._entry(name, arity, values)
            if not self.accept(","):
                break
        self.close("}", opening)

    def _entry(self, name: str, arity: int, values: _Values) -> None:
        token = self.token
        nodes: tuple[str, ...]
        if self.token.text == "(":
            opening = self.take()
            found = [self._known_node(values)]
            while self.accept(","):
                found.append(self._known_node(values))
            self.close(")", opening)
            nodes = tuple(found)
        else:
            node = self._known_node(values)
            nodes = (node, self._known_node(values)) if self.accept("->") else (node,)
        value = self._value() if self.accept(":") else Kleene.TRUE
        if len(nodes) != arity:
            raise InputError(f"predicate {name} has {arity} arguments, not {len(nodes)}", token.span)
        if name == "ac" and value is Kleene.FALSE:
            raise InputError(f"node {nodes[0]} cannot be absent for certain: leave it out", token.span)
        if len(nodes) == 1:
            _put(values.unary.setdefault(name, {}), nodes[0], value)
        else:
            _put(values.binary.setdefault(name, {}), (nodes[0], nodes[1]), value)

    def _value(self) -> Kleene:
        token = self.take()
        if token.text == "0":
            return Kleene.FALSE
        if token.text == "1":
            if self.token.text == "/" and self.peek().text == "2":
                self.take()
                self.take()
                return Kleene.HALF
            return Kleene.TRUE
        raise InputError(f"expected a truth value (0, 1 or 1/2), found {token.shown}", token.span)


def _put(table: dict[K, Kleene], key: K, value: Kleene) -> None:
    if value is Kleene.FALSE:
        table.pop(key, None)
    else:
        table[key] = value
