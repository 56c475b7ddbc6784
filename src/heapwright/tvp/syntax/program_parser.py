"""The parser for TVP programs: declarations `%%` actions `%%` edges [`%%` labels].

Sets are evaluated where they are declared, everything else when the whole program has been read. Decomposition
(`%compose` and the like) is parsed and ignored, with a remark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from heapwright.base.errors import InputError
from heapwright.logic.formulas import Kleene
from heapwright.tvp.preprocessing.tokens import END, NAME, STRING, Token
from heapwright.tvp.specification import Remark
from heapwright.tvp.syntax.formula_parser import FormulaParser
from heapwright.tvp.syntax.name_sets import members
from heapwright.tvp.syntax.tree import (
    ActionSyntax,
    ConstraintSyntax,
    Declaration,
    EdgeSyntax,
    FocusSyntax,
    Foreach,
    LocatedFormula,
    MessageSyntax,
    PredicateSyntax,
    ProgramSyntax,
    Property,
    SetExpression,
    UpdateSyntax,
)

T = TypeVar("T")

_ORDER = "%param %t %frame_pre %compose %frame %f %p %message %new %clone { updates } %retain %message %decompose"


def parse_program(tokens: Sequence[Token]) -> tuple[ProgramSyntax, tuple[Remark, ...]]:
    """The syntax tree of a program, and remarks on ignored parts."""
    parser = _Parser(tokens)
    try:
        parser.program()
    except RecursionError:
        raise InputError("the program is nested too deeply here", parser.token.span) from None
    return parser.result, (*parser.ignored_parts(), *parser.remarks)


def parse_declarations(tokens: Sequence[Token]) -> ProgramSyntax:
    """A file of declarations alone, in which names of predicates may be quoted."""
    parser = _Parser(tokens, quoted=True)
    try:
        parser.declarations()
    except RecursionError:
        raise InputError("the declarations are nested too deeply here", parser.token.span) from None
    return parser.result


class _Parser(FormulaParser):
    def __init__(self, tokens: Sequence[Token], *, quoted: bool = False) -> None:
        super().__init__(tokens, quoted=quoted)
        self.result = ProgramSyntax()
        self.ignored: dict[str, tuple[Token, int]] = {}
        self.remarks: list[Remark] = []

    def program(self) -> None:
        while self.token.text != "%%":
            if self.token.kind == END:
                raise self.unexpected("'%%' and the actions")
            self.result.declarations.extend(self._declarations(nested=False))
        self.take()
        while self.token.text == "%action":
            self._action()
        self.expect("%%", "or '%action'")
        while self.token.kind in (NAME, STRING):
            self._edge()
        if not self.result.edges:
            raise self.unexpected("an edge, written: label action(arguments) label")
        if self.accept("%%"):
            self._print_section()
        if self.token.kind != END:
            raise self.unexpected("an edge, '%%' or the end of the file")

    def declarations(self) -> None:
        while self.token.kind != END:
            self.result.declarations.extend(self._declarations(nested=False))

    def ignored_parts(self) -> Iterator[Remark]:
        for what, (at, count) in self.ignored.items():
            times = f" ({count} times)" if count > 1 else ""
            yield Remark(f"{what} belongs to decomposition and is ignored{times}", at.span, ignored=True)

    def _ignore(self, token: Token) -> None:
        first, count = self.ignored.get(token.text, (token, 0))
        self.ignored[token.text] = (first, count + 1)

    # Declarations

    def _declarations(self, nested: bool) -> list[Declaration | Foreach[Declaration]]:
        """One declaration, or none if it is a set or is ignored."""
        token = self.token
        match token.text:
            case "%s" | "%pset":
                if nested:
                    raise InputError("a set cannot be declared inside foreach", token.span)
                self._set_declaration()
                return []
            case "%p" | "%i":
                return [self._predicate()]
            case "%r":
                self.take()
                body = self.whole_formula()
                self.expect("==>", "of a constraint")
                return [ConstraintSyntax(body, self.whole_formula(), token)]
            case "%f":
                return [FocusSyntax(self._focus(), token)]
            case "%message":
                return [self._message()]
            case "foreach":
                return [self._foreach(lambda: self._declarations(nested=True))]
            case "%dname":
                self._ignore(self.take())
                self.whole_formula()
                if self.token.kind in (STRING, NAME) and self.token.text != "foreach":
                    self.message()
                return []
            case "%closecycle":
                self._ignore(self.take())
                self.name("a predicate")
                self.expect("->")
                self.whole_formula()
                return []
        raise self.unexpected("a declaration")

    def _set_declaration(self) -> None:
        if self.take().text == "%pset":
            self._ignore(self.peek(-1))
        name = self.identifier("a set")
        found = members(self.set_expression(), {}, self.result.sets)
        before = self.result.sets.get(name.text, ())
        self.result.sets[name.text] = tuple(dict.fromkeys((*before, *found)))

    def _foreach(self, items: Callable[[], Sequence[T | Foreach[T]]], separator: str = "") -> Foreach[T]:
        self.take()
        opening = self.expect("(")
        variable = self.identifier("a name")
        found: SetExpression = self.in_set()
        self.close(")", opening)
        opening = self.expect("{")
        result: list[T | Foreach[T]] = []
        while self.token.text != "}":
            if self.token.kind == END:
                raise InputError("this '{' is not closed", opening.span)
            result.extend(items())
            if separator and not self.accept(separator):
                break
        self.close("}", opening)
        return Foreach(variable, found, tuple(result))

    def _predicate(self) -> PredicateSyntax:
        token = self.take()
        name = self.name("a predicate")
        parameters = self.variables()
        definition: LocatedFormula | None = None
        if token.text == "%i":
            self.expect("=", "and a definition")
            definition = self.whole_formula()
        properties: list[Property] = []
        while self.token.kind == NAME and self.token.text != "foreach":
            found = self.identifier("a property")
            opening = self.token
            if self.accept("("):
                properties.append(Property(found, self.names()))
                self.close(")", opening)
            else:
                properties.append(Property(found))
        if self.token.text == "[":
            raise InputError("functional dependencies are not supported", self.token.span)
        return PredicateSyntax(name, parameters, definition, tuple(properties), self._shown(), token)

    def _shown(self) -> frozenset[Kleene] | None:
        opening = self.token
        if not self.accept("{"):
            return None
        found: set[Kleene] = set()
        while self.token.text != "}":
            if found:
                self.expect(",", "or '}'")
            if self.token.kind != "number":
                raise self.unexpected("a truth value or '}'")
            found.add(self.truth().value)
        self.close("}", opening)
        return frozenset(found)

    # Actions

    def _focus(self) -> tuple[LocatedFormula | Foreach[LocatedFormula], ...]:
        self.take()
        opening = self.expect("{")
        found: list[LocatedFormula | Foreach[LocatedFormula]] = []
        while self.token.text != "}":
            found.extend(self._focus_item())
            if not self.accept(","):
                break
        self.close("}", opening)
        return tuple(found)

    def _focus_item(self) -> list[LocatedFormula | Foreach[LocatedFormula]]:
        if self.token.text == "foreach":
            return [self._foreach(self._focus_item, ",")]
        return [self.whole_formula()]

    def _message(self) -> MessageSyntax:
        token = self.take()
        opening = self.token
        if self.accept("["):
            self._ignore(Token(token.kind, "%message [formula]", token.file, token.line, token.column))
            self.whole_formula()
            self.close("]", opening)
        formula = self.formula_before_message()
        self.expect("->", "and a message")
        return MessageSyntax(formula, self.message(), token)

    def _messages(self) -> tuple[MessageSyntax, ...]:
        found: list[MessageSyntax] = []
        while self.token.text == "%message":
            found.append(self._message())
        return tuple(found)

    def _formula_section(self, section: str) -> LocatedFormula | None:
        if self.token.text != section:
            return None
        self.take()
        return self.whole_formula()

    def _ignored_section(self, section: str) -> None:
        if self.token.text == section:
            self._ignore(self.take())
            if self._formula_begins():
                self.whole_formula()

    def _formula_begins(self) -> bool:
        return self.token.kind in (NAME, "number") or self.token.text in ("(", "!", "&", "|")

    def _new_section(self, section: str) -> tuple[Token, LocatedFormula | None] | None:
        if self.token.text != section:
            return None
        token = self.take()
        return token, self.whole_formula() if self._formula_begins() else None

    def _fixed(self) -> tuple[tuple[Token, SetExpression], ...]:
        found: list[tuple[Token, SetExpression]] = []
        while self.token.text == "%param":
            self._ignore(self.take())
            name = self.identifier("a name")
            found.append((name, self.in_set()))
        return tuple(found)

    def _action(self) -> None:
        self.take()
        name = self.identifier("an action")
        parameters = self.variables("a parameter")
        if len(set(parameters)) < len(parameters):
            raise InputError(f"action {name.text} has two parameters of the same name", name.span)
        opening = self.expect("{")
        fixed = self._fixed()
        title = self.message() if self.accept("%t") else ()
        for section in ("%frame_pre", "%compose", "%frame"):
            self._ignored_section(section)
        focus = self._focus() if self.token.text == "%f" else ()
        precondition = self._formula_section("%p")
        messages = self._messages()
        new, clone = self._new_section("%new"), self._new_section("%clone")
        updates = self._updates() if self.token.text == "{" else ()
        retain = self._formula_section("%retain")
        after = self._messages()
        self._ignored_section("%decompose")
        if self.token.kind == "section" and self.token.text not in ("%%", "%action"):
            raise InputError(f"unexpected {self.token.shown}", self.token.span, f"the order in an action is {_ORDER}")
        self.close("}", opening)
        if name.text in self.result.actions:
            self.remarks.append(Remark(f"action {name.text} is defined again; the last definition counts", name.span))
        self.result.actions[name.text] = ActionSyntax(
            name, parameters, fixed, title, focus, precondition, messages, new, clone, updates, retain, after
        )

    def _updates(self) -> tuple[UpdateSyntax | Foreach[UpdateSyntax], ...]:
        opening = self.take()
        found: list[UpdateSyntax | Foreach[UpdateSyntax]] = []
        while self.token.kind == NAME or self.token.text == "(":
            found.extend(self._update())
        self.close("}", opening)
        return tuple(found)

    def _update(self) -> list[UpdateSyntax | Foreach[UpdateSyntax]]:
        if self.token.text == "foreach":
            return [self._foreach(self._update)]
        opening = self.token
        bracketed = self.accept("(")
        token = self.token
        name = self.name("a predicate")
        parameters = self.variables()
        if bracketed:
            self.close(")", opening)
        self.expect("=", "of an update")
        formula = self.whole_formula()
        return [UpdateSyntax(name, parameters, formula, self.accept("auto"), token)]

    # Edges and labels

    def _label(self) -> Token:
        if self.token.kind == STRING:
            token = self.take()
            return Token(token.kind, token.text[1:-1], token.file, token.line, token.column)
        return self.identifier("a label")

    def _edge(self) -> None:
        source = self._label()
        action = self.identifier("an action")
        opening = self.expect("(", "and the arguments of the action")
        arguments = self.names()
        self.close(")", opening)
        self.result.edges.append(EdgeSyntax(source, action, arguments, self._label()))

    def _print_section(self) -> None:
        if self.token.kind == END:
            return
        self.result.printed.append(self._label())
        while self.accept(","):
            self.result.printed.append(self._label())
