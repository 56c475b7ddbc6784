"""Macros of the preprocessor: their replacement, with arguments, pasting by `##` and quoting by `#`.

Tokens that come out of a macro have the span of its use, so that an error inside is reported where the user wrote the
call; tokens of arguments keep their own span. A macro is not expanded again inside its own replacement.
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.base.errors import InputError
from heapwright.base.immutable import Immutable
from heapwright.tvp.preprocessing.tokens import NAME, NUMBER, STRING, Token, lines

MOST_TOKENS = 300_000  # that come out of macros between two directives


class Macro(Immutable):
    """`parameters` is None for a macro that is used without parentheses."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


def expand(tokens: list[Token], macros: Mapping[str, Macro]) -> list[Token]:
    """The tokens with every macro replaced."""
    if not macros or macros.keys().isdisjoint(token.text for token in tokens):
        return tokens
    output: list[Token] = []
    stack = tokens[::-1]
    budget = MOST_TOKENS
    while stack:
        token = stack.pop()
        macro = macros.get(token.text) if token.kind == NAME else None
        if macro is None or macro.name in token.hidden:
            output.append(token)
            continue
        if macro.parameters is None:
            replaced = _substitute(macro, {}, token, macros)
        elif stack and stack[-1].text == "(":
            replaced = _substitute(macro, _arguments(macro, macro.parameters, token, stack), token, macros)
        else:
            output.append(token)
            continue
        budget -= len(replaced)
        if budget < 0:
            raise InputError(f"macro {macro.name} expands without end", token.span)
        stack.extend(reversed(replaced))
    return output


def _arguments(macro: Macro, parameters: tuple[str, ...], use: Token, stack: list[Token]) -> dict[str, list[Token]]:
    """The arguments of a use, taken off the stack together with their parentheses."""
    stack.pop()
    arguments: list[list[Token]] = [[]]
    depth = 1
    while stack:
        token = stack.pop()
        if token.text == "(":
            depth += 1
        elif token.text == ")":
            depth -= 1
            if depth == 0:
                break
        elif token.text == "," and depth == 1:
            arguments.append([])
            continue
        arguments[-1].append(token)
    if depth:
        raise InputError(f"the arguments of macro {macro.name} are not closed", use.span)
    if not parameters and arguments == [[]]:
        return {}
    if len(arguments) != len(parameters):
        raise InputError(f"macro {macro.name} has {len(parameters)} parameters, not {len(arguments)}", use.span)
    return dict(zip(parameters, arguments, strict=True))


def _substitute(
    macro: Macro, arguments: Mapping[str, list[Token]], use: Token, macros: Mapping[str, Macro]
) -> list[Token]:
    hidden = use.hidden | {macro.name}
    expanded = {name: expand(list(tokens), macros) for name, tokens in arguments.items()}
    result: list[Token | None] = []  # None stands for an empty argument beside `##`
    body = macro.body

    def raw(token: Token) -> list[Token | None]:
        if token.kind == NAME and token.text in arguments:
            return [*arguments[token.text]] or [None]
        return [token.moved(use, hidden)]

    index = 0
    while index < len(body):
        token = body[index]
        if token.text == "##":
            right = raw(body[index + 1])
            result[-1:] = _paste(result[-1], right[0], use, hidden)
            result.extend(right[1:])
            index += 2
        elif token.text == "#" and index + 1 < len(body) and body[index + 1].text in arguments:
            quoted = " ".join(part.text for part in arguments[body[index + 1].text])
            result.append(Token(STRING, '"' + quoted.replace('"', "'") + '"', use.file, use.line, use.column, hidden))
            index += 2
        else:
            if index + 1 < len(body) and body[index + 1].text == "##":
                result.extend(raw(token))
            elif token.kind == NAME and token.text in expanded:
                result.extend(expanded[token.text])
            else:
                result.append(token.moved(use, hidden))
            index += 1
    return [
        token if hidden <= token.hidden else token.moved(token, token.hidden | hidden)
        for token in result
        if token is not None
    ]


def _paste(left: Token | None, right: Token | None, use: Token, hidden: frozenset[str]) -> list[Token | None]:
    if left is None or right is None:
        return [right if left is None else left]
    if left.kind in (NAME, NUMBER) and right.kind in (NAME, NUMBER):
        return [Token(left.kind, left.text + right.text, use.file, use.line, use.column, hidden)]
    return [part.moved(use, hidden) for line in lines(left.text + right.text, use.file) for part in line]
