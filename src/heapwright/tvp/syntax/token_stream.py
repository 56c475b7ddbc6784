"""Token stream of the parsers: look ahead, take, expect, and report errors at a span."""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.base.errors import InputError
from heapwright.tvp.preprocessing.tokens import NAME, STRING, Token
from heapwright.tvp.syntax.tree import Name

RESERVED = frozenset(("E", "A", "TC", "foreach", "auto"))


class Stream:
    """`quoted`: a string may stand where a name may."""

    def __init__(self, tokens: Sequence[Token], *, quoted: bool = False) -> None:
        self.tokens = tokens
        self.quoted = quoted
        self.index = 0
        self.token = tokens[0]

    def peek(self, distance: int = 1) -> Token:
        return self.tokens[min(self.index + distance, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.token
        if self.index + 1 < len(self.tokens):
            self.index += 1
            self.token = self.tokens[self.index]
        return token

    def accept(self, text: str) -> bool:
        if self.token.text != text:
            return False
        self.take()
        return True

    def expect(self, text: str, where: str = "") -> Token:
        if self.token.text != text:
            raise self.unexpected(f"'{text}'{where and ' ' + where}")
        return self.take()

    def close(self, text: str, opening: Token) -> Token:
        """The bracket that closes an opening one."""
        if self.token.text != text:
            error = self.unexpected(f"'{text}'")
            if self.token.kind == "end":
                raise InputError(f"this '{opening.text}' is not closed", opening.span)
            raise InputError(
                f"{error.message} (the '{opening.text}' to close is at line {opening.line})", error.span, error.hint
            )
        return self.take()

    def unexpected(self, expected: str, hint: str = "") -> InputError:
        return InputError(f"expected {expected}, found {self.token.shown}", self.token.span, hint)

    def is_identifier(self) -> bool:
        if self.token.kind == STRING:
            return self.quoted
        return self.token.kind == NAME and self.token.text not in RESERVED

    def identifier(self, what: str) -> Token:
        if self.token.kind != NAME:
            raise self.unexpected(what)
        if self.token.text in RESERVED:
            raise InputError(f"{self.token.text} is a reserved word and cannot be {what}", self.token.span)
        return self.take()

    def name(self, what: str = "a name") -> Name:
        if self.quoted and self.token.kind == STRING:
            return Name(self.token.text[1:-1], (), self.take())
        token = self.identifier(what)
        if self.token.text != "[":
            return Name(token.text, (), token)
        opening = self.take()
        parameters = self.names()
        self.close("]", opening)
        return Name(token.text, parameters, token)

    def names(self) -> tuple[Name, ...]:
        """A list of names, which may be empty."""
        if not self.is_identifier():
            return ()
        found = [self.name()]
        while self.accept(","):
            found.append(self.name())
        return tuple(found)

    def variables(self, what: str = "a variable") -> tuple[str, ...]:
        """Identifiers in parentheses."""
        opening = self.expect("(")
        found: list[str] = []
        if self.token.text != ")":
            found.append(self.identifier(what).text)
            while self.accept(","):
                found.append(self.identifier(what).text)
        self.close(")", opening)
        return tuple(found)
