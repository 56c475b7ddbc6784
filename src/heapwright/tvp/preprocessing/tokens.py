"""Tokens of TVP and TVS files, each with its source span.

One set of tokens serves the preprocessor, programs and structures. Lines matter only to the preprocessor, which takes
tokens line by line: a backslash at its end joins a line with the next, and comments are white space.

>>> [token.text for line in lines("%s PVar {x} // variables", "a.tvp") for token in line]
['%s', 'PVar', '{', 'x', '}']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from heapwright.base.errors import InputError
from heapwright.base.source import Span

NAME = "name"
NUMBER = "number"
STRING = "string"  # its text keeps the quotes
SYMBOL = "symbol"
SECTION = "section"  # %p, %action, %%
OTHER = "other"  # no character of the language
END = "end"

_PROGRAM = r"p|i|r|f|t|s|pset|param|message|closecycle|new|clone|frame_pre|frame|compose|decompose|dname|retain|action"
_STRUCTURE = r"n|p|d|t|a|message|location"
SECTIONS = frozenset(f"%{word}" for word in f"{_PROGRAM}|{_STRUCTURE}".split("|"))

_TOKEN = re.compile(
    r"""
    [ \t\r\f\v\x1a\ufeff]*
    (?:
      (?P<newline>\n)
    | (?P<name>[A-Za-z_$][A-Za-z0-9_$.]*)
    | (?P<symbol>==>|-->|<[ ]?-[ ]?>|-[ ]?>|==|!=|<=|>=|&&(?!/)|\|\|(?!/)|\#\#|\.[01]|[-|&!*+?,:=(){}\[\]<>\#])
    | (?P<section>%[ \t]*%|%[A-Za-z_]+)
    | (?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?\*/)
    | (?P<number>[0-9][A-Za-z0-9_$]*)
    | (?P<string>"[^"\n]*")
    | (?P<joined>\\[ \t]*\r?\n)
    | (?P<open>/\*)
    | (?P<single>[%/])
    | (?P<finish>\Z)
    | (?P<other>.)
    )
    """,
    re.VERBOSE | re.DOTALL,
)


class Token:
    """A token; `hidden` are the macros that it came out of, which are not expanded in it again."""

    __slots__ = ("column", "file", "hidden", "kind", "line", "text")

    def __init__(
        self, kind: str, text: str, file: str, line: int, column: int, hidden: frozenset[str] = frozenset()
    ) -> None:
        self.kind = kind
        self.text = text
        self.file = file
        self.line = line
        self.column = column
        self.hidden = hidden

    def __repr__(self) -> str:
        return f"{self.text!r} at {self.span}"

    @property
    def span(self) -> Span:
        return Span(self.file, self.line, self.column, self.line, self.column + len(self.text))

    @property
    def shown(self) -> str:
        """The token as messages show it."""
        if self.kind == END:
            return "the end of the file"
        return self.text if self.kind == STRING else f"'{self.text}'"

    def moved(self, use: Token, hidden: frozenset[str]) -> Token:
        return Token(self.kind, self.text, use.file, use.line, use.column, hidden)


def lines(text: str, file: str, on_comment: Callable[[str], None] | None = None) -> Iterator[list[Token]]:
    """The tokens of a text, line by line, each line with at least one token."""
    line, start = 1, 0
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or OTHER
        found = match[kind]
        column = match.end() - len(found) - start + 1
        if kind in (NAME, STRING, NUMBER, OTHER):
            tokens.append(Token(kind, found, file, line, column))
        elif kind in (SYMBOL, "single"):
            tokens.append(Token(SYMBOL, found.replace(" ", "") if len(found) > 1 else found, file, line, column))
        elif kind == "newline":
            if tokens:
                yield tokens
                tokens = []
            line, start = line + 1, match.end()
        elif kind in ("comment", "joined"):
            if on_comment is not None:
                on_comment(found)
            if "\n" in found:
                line += found.count("\n")
                start = match.end() - len(found) + found.rindex("\n") + 1
        elif kind == SECTION:
            tokens.extend(_section(found, file, line, column))
        elif kind == "open":
            raise InputError("this comment is not closed", Span(file, line, column))
    if tokens:
        yield tokens


def _section(found: str, file: str, line: int, column: int) -> list[Token]:
    """A word after `%`: the longest section that it begins with, and a name if something is left."""
    if found.endswith("%"):
        return [Token(SECTION, "%%", file, line, column)]
    for length in range(len(found), 1, -1):
        if found[:length] in SECTIONS:
            head = Token(SECTION, found[:length], file, line, column)
            rest = found[length:]
            return [head, Token(NAME, rest, file, line, column + length)] if rest else [head]
    return [Token(SECTION, found, file, line, column)]
