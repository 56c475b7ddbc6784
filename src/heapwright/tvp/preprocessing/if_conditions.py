"""The conditions of `#if` and `#elif`: integers, `defined`, arithmetic, comparisons and logic, as in C.

>>> from heapwright.tvp.preprocessing.tokens import lines
>>> value(next(lines("(1 < 2) && !defined(LIMIT)", "a.tvp")), {})
1
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from heapwright.base.errors import InputError
from heapwright.tvp.preprocessing.macros import Macro, expand
from heapwright.tvp.preprocessing.tokens import NAME, NUMBER, Token

_OPERATORS: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "||": (1, lambda a, b: int(bool(a) or bool(b))),
    "&&": (2, lambda a, b: int(bool(a) and bool(b))),
    "|": (3, lambda a, b: a | b),
    "&": (4, lambda a, b: a & b),
    "==": (5, lambda a, b: int(a == b)),
    "!=": (5, lambda a, b: int(a != b)),
    "<": (6, lambda a, b: int(a < b)),
    ">": (6, lambda a, b: int(a > b)),
    "<=": (6, lambda a, b: int(a <= b)),
    ">=": (6, lambda a, b: int(a >= b)),
    "+": (7, lambda a, b: a + b),
    "-": (7, lambda a, b: a - b),
    "*": (8, lambda a, b: a * b),
    "/": (8, lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)),
    "%": (8, lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1)),
}
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*")


def value(tokens: list[Token], macros: Mapping[str, Macro]) -> int:
    """The value of a condition; names that are no macros count as 0."""
    reader = _Reader(expand(_without_defined(tokens, macros), macros), tokens[0])
    result = reader.choice()
    reader.done()
    return result


def _without_defined(tokens: list[Token], macros: Mapping[str, Macro]) -> list[Token]:
    result: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        if token.text != "defined":
            result.append(token)
            continue
        bracket = index < len(tokens) and tokens[index].text == "("
        index += bracket
        if index >= len(tokens) or tokens[index].kind != NAME:
            raise InputError("'defined' needs the name of a macro", token.span)
        name = tokens[index].text
        index += 1
        if bracket:
            if index >= len(tokens) or tokens[index].text != ")":
                raise InputError("')' is missing after 'defined('", token.span)
            index += 1
        result.append(Token(NUMBER, str(int(name in macros)), token.file, token.line, token.column))
    return result


class _Reader:
    def __init__(self, tokens: list[Token], start: Token) -> None:
        self.tokens = tokens
        self.start = start
        self.index = 0

    def peek(self) -> str:
        return self.tokens[self.index].text if self.index < len(self.tokens) else ""

    def take(self) -> Token:
        if self.index >= len(self.tokens):
            raise InputError("unexpected end of the condition", self.start.span)
        self.index += 1
        return self.tokens[self.index - 1]

    def done(self) -> None:
        if self.index < len(self.tokens):
            token = self.tokens[self.index]
            raise InputError(f"unexpected {token.shown} in a condition", token.span)

    def choice(self) -> int:
        condition = self.binary(1)
        if self.peek() != "?":
            return condition
        self.take()
        then = self.choice()
        self.close(":")
        other = self.choice()
        return then if condition else other

    def close(self, text: str) -> None:
        token = self.take()
        if token.text != text:
            raise InputError(f"expected '{text}', found {token.shown}", token.span)

    def binary(self, level: int) -> int:
        left = self.unary()
        while (operator := _OPERATORS.get(self.peek())) is not None and operator[0] >= level:
            token = self.take()
            right = self.binary(operator[0] + 1)
            if right == 0 and token.text in "/%":
                raise InputError("division by zero in a condition", token.span)
            left = operator[1](left, right)
        return left

    def unary(self) -> int:
        token = self.take()
        match token.text:
            case "!":
                return int(not self.unary())
            case "-":
                return -self.unary()
            case "+":
                return self.unary()
            case "(":
                result = self.choice()
                self.close(")")
                return result
        if token.kind == NAME:
            return 0
        if token.kind == NUMBER and (match := _INTEGER.fullmatch(token.text)) and len(match[1]) < 30:
            return int(match[1], 16 if match[1][:2] in ("0x", "0X") else 10)
        raise InputError(f"unexpected {token.shown} in a condition", token.span)
