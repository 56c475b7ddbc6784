r"""The C-like preprocessor that every TVP and TVS file passes through.

It works on tokens, so that every token keeps its span in the file it was written in; a token out of a macro has the
span of the macro's use. `-DNAME` defines a macro as 1, `-DNAME(value)` as the value.

    tokens = preprocess("list.tvp", defines=["LIMIT(2)"]).tokens
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from heapwright.base.errors import InputError, UsageError
from heapwright.base.source import Span
from heapwright.tvp.preprocessing import if_conditions as conditions
from heapwright.tvp.preprocessing.macros import Macro, expand
from heapwright.tvp.preprocessing.text_files import beside, is_file, read_text
from heapwright.tvp.preprocessing.tokens import END, NAME, OTHER, STRING, Token, lines
from heapwright.tvp.specification import Remark

MOST_NESTED = 60
_DEFINE = re.compile(r"([A-Za-z_$][A-Za-z0-9_$]*)(?:\((.*)\)|=(.*))?", re.DOTALL)
_PROPERTIES = re.compile(r'@properties[ \t]+"([^"]*)"')


class TokenizedFile:
    """The tokens of a file and all that it includes, an end token last."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.sources: dict[str, str] = {}  # file name -> text
        self.remarks: list[Remark] = []
        self.properties: list[str] = []  # files that comments name with @properties


def preprocess(path: str, *, defines: Sequence[str] = (), search: Sequence[str] = ()) -> TokenizedFile:
    """The tokens of a file after all directives and macros."""
    preprocessor = _Preprocessor(path, search)
    for define in defines:
        preprocessor.define_by_option(define)
    try:
        preprocessor.file(path, None, 0)
    except RecursionError:
        raise InputError("macros or conditions are nested too deeply here", preprocessor.span) from None
    result = preprocessor.result
    for token in result.tokens:
        if token.kind == OTHER:
            wrong = (
                "this string is not closed"
                if token.text == '"'
                else f"the character {token.text!r} has no meaning here"
            )
            raise InputError(wrong, token.span)
    text = result.sources[path]
    result.tokens.append(Token(END, "", path, text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1))
    return result


class _Group:
    """An open #if: whether its current part is kept, whether some part was, whether #else has been met."""

    def __init__(self, token: Token, kept: bool, done: bool, outer: bool) -> None:
        self.token = token
        self.kept = kept
        self.done = done
        self.outer = outer
        self.last = False


class _Preprocessor:
    def __init__(self, root: str, search: Sequence[str]) -> None:
        self.root = root
        self.search = search
        self.macros: dict[str, Macro] = {}
        self.result = TokenizedFile()
        self.groups: list[_Group] = []
        self.pending: list[Token] = []
        self.span: Span | None = None  # of what is being expanded or evaluated

    def define_by_option(self, option: str) -> None:
        match = _DEFINE.fullmatch(option)
        if match is None:
            raise UsageError(f"-D{option}: write -DNAME or -DNAME(value)")
        name, bracketed, assigned = match.groups()
        value = next((text for text in (bracketed, assigned) if text is not None), "1")
        body = [token for line in lines(value, "<command line>") for token in line]
        self.macros[name] = Macro(name, None, tuple(body))

    @property
    def active(self) -> bool:
        return not self.groups or self.groups[-1].kept

    def file(self, path: str, span: Span | None, depth: int) -> None:
        if depth > MOST_NESTED:
            raise InputError(f"{path} includes itself: includes are nested more than {MOST_NESTED} deep", span)
        text = read_text(path, span)
        self.result.sources[path] = text
        outer, self.groups = self.groups, []
        for line in lines(text, path, self._comment):
            if line[0].text == "#":
                self._directive(line, path, depth)
            elif self.active:
                self.pending.extend(line)
        if self.groups:
            raise InputError(f"this #{self.groups[-1].token.text} has no #endif", self.groups[-1].token.span)
        self.groups = outer
        if depth == 0:
            self._flush()

    def _comment(self, text: str) -> None:
        if "@properties" in text:
            self.result.properties.extend(_PROPERTIES.findall(text))

    def _flush(self) -> None:
        """Expands what has been read: macros change from here on."""
        self.span = self.pending[0].span if self.pending else self.span
        self.result.tokens.extend(expand(self.pending, self.macros))
        self.pending = []

    def _directive(self, line: list[Token], path: str, depth: int) -> None:
        if len(line) == 1:
            return
        word, rest = line[1], line[2:]
        self.span = word.span
        match word.text:
            case "if" | "ifdef" | "ifndef":
                kept = self.active and self._holds(word, rest)
                self.groups.append(_Group(word, kept, kept, self.active))
            case "elif" | "else":
                self._alternative(word, rest)
            case "endif":
                if not self.groups:
                    raise InputError("this #endif has no #if", word.span)
                self.groups.pop()
            case _ if self.active:
                self._active_directive(word, rest, path, depth)

    def _alternative(self, word: Token, rest: list[Token]) -> None:
        if not self.groups:
            raise InputError(f"this #{word.text} has no #if", word.span)
        group = self.groups[-1]
        if group.last:
            raise InputError(f"#{word.text} comes after #else", word.span)
        group.last = word.text == "else"
        group.kept = group.outer and not group.done and (group.last or self._holds(word, rest))
        group.done = group.done or group.kept

    def _holds(self, word: Token, rest: list[Token]) -> bool:
        if word.text in ("ifdef", "ifndef"):
            if not rest or rest[0].kind != NAME:
                raise InputError(f"#{word.text} needs the name of a macro", word.span)
            return (rest[0].text in self.macros) == (word.text == "ifdef")
        if not rest:
            raise InputError(f"#{word.text} needs a condition", word.span)
        return bool(conditions.value(rest, self.macros))

    def _active_directive(self, word: Token, rest: list[Token], path: str, depth: int) -> None:
        message = " ".join(token.text for token in rest)
        match word.text:
            case "include":
                # What was read before an include may end in the middle of a macro's arguments only in a broken file.
                self._flush()
                found = self._included(word, rest, path)
                self.file(found, word.span, depth + 1)
                self._flush()
            case "define":
                self._flush()
                self._define(word, rest)
            case "undef":
                self._flush()
                if not rest or rest[0].kind != NAME:
                    raise InputError("#undef needs the name of a macro", word.span)
                self.macros.pop(rest[0].text, None)
            case "error":
                raise InputError(f"#error {message}".strip(), word.span)
            case "warning":
                self.result.remarks.append(Remark(message, word.span))
            case "line" | "pragma":
                pass
            case _:
                raise InputError(f"#{word.text} is no directive", word.span)

    def _included(self, word: Token, rest: list[Token], path: str) -> str:
        if rest and rest[0].kind == STRING:
            name = rest[0].text[1:-1]
        else:
            name = "".join(token.text for token in rest)
            if not (name.startswith("<") and name.endswith(">")):
                raise InputError('#include needs a file name in quotes: #include "file"', word.span)
            name = name[1:-1]
        name = name.replace("\\", "/")
        for candidate in (beside(path, name), beside(self.root, name), *(f"{folder}/{name}" for folder in self.search)):
            if is_file(candidate):
                return candidate
        raise InputError(f'the file "{name}" to be included is not found', rest[0].span, "add its folder with --path")

    def _define(self, word: Token, rest: list[Token]) -> None:
        if not rest or rest[0].kind != NAME:
            raise InputError("#define needs the name of a macro", word.span)
        name, body = rest[0], rest[1:]
        parameters: tuple[str, ...] | None = None
        if (
            body
            and body[0].text == "("
            and (body[0].line, body[0].column)
            == (
                name.line,
                name.column + len(name.text),
            )
        ):
            closing = next((index for index, token in enumerate(body) if token.text == ")"), 0)
            inside = body[1:closing]
            if not closing or any(
                (token.kind != NAME) if index % 2 == 0 else (token.text != ",") for index, token in enumerate(inside)
            ):
                raise InputError(f"the parameters of macro {name.text} are not a list of names", name.span)
            parameters = tuple(token.text for token in inside[::2])
            body = body[closing + 1 :]
        if body and "##" in (body[0].text, body[-1].text):
            raise InputError(f"'##' in macro {name.text} needs something on both sides", name.span)
        self.macros[name.text] = Macro(name.text, parameters, tuple(body))
