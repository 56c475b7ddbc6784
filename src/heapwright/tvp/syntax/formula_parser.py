"""The parser for sets, formulas and messages.

Formulas, loosest first: `<->`, `->`, `|`, `&` (all to the left), `!`; the body of a quantifier or of `TC` extends as
far to the right as it can. `f -> g` is stored as `g | !f`, `p*(u,v)` as `u == v | TC(u,v)(a,b) p(a,b)`.
"""

from __future__ import annotations

from heapwright.base.errors import InputError
from heapwright.logic.formulas import FALSE, HALF, TRUE, Equal, Truth
from heapwright.tvp.preprocessing.tokens import NUMBER, STRING
from heapwright.tvp.syntax.token_stream import Stream
from heapwright.tvp.syntax.tree import (
    Application,
    Closure,
    Composite,
    Comprehension,
    Connective,
    FormulaSyntax,
    LocatedFormula,
    Members,
    MessageText,
    Name,
    Quantified,
    SetExpression,
    SetName,
    SetOperation,
)

_LEVELS = {"<->": 1, "->": 2, "|": 3, "&": 4}
_STEP = ("_1", "_2")  # the variables of the step in p* and p+, where nothing else can be captured


class FormulaParser(Stream):
    # Sets

    def in_set(self) -> SetExpression:
        if self.token.text != "in":
            raise self.unexpected("'in'")
        self.take()
        return self.set_expression()

    def set_expression(self) -> SetExpression:
        left = self._set_sum()
        while self.token.text == "&":
            self.take()
            left = SetOperation("&", left, self._set_sum())
        return left

    def _set_sum(self) -> SetExpression:
        left = self._set_primary()
        while self.token.text in ("+", "-"):
            operator = self.take().text
            left = SetOperation(operator, left, self._set_primary())
        return left

    def _set_primary(self) -> SetExpression:
        opening = self.token
        if self.accept("("):
            inner = self.set_expression()
            self.close(")", opening)
            return inner
        if not self.accept("{"):
            return SetName(self.identifier("a set"))
        names = self.names()
        if names and self.accept(":"):
            variable = self.identifier("a name")
            comprehension = Comprehension(names, variable, self.in_set())
            self.close("}", opening)
            return comprehension
        self.close("}", opening)
        return Members(names)

    # Formulas

    def whole_formula(self) -> LocatedFormula:
        token = self.token
        return LocatedFormula(self._binary(1), token)

    def formula_before_message(self) -> LocatedFormula:
        """A formula up to the arrow that leads to a message."""
        token = self.token
        return LocatedFormula(self._binary(1, to_message=True), token)

    def _binary(self, level: int, to_message: bool = False) -> FormulaSyntax:
        left = self._unary()
        while (found := _LEVELS.get(self.token.text, 0)) >= level:
            if to_message and found == 2 and self._message_follows():
                return left
            operator = self.take().text
            right = self._binary(found + 1)
            if operator == "->":
                left = Connective("|", (right, Connective("!", (left,))))
            elif operator == "<->":
                left = Connective("<->", (left, right))
            else:
                operands = [left, right]
                while self.token.text == operator:
                    self.take()
                    operands.append(self._binary(found + 1))
                left = Connective(operator, tuple(operands))
        return left

    def _message_follows(self) -> bool:
        """Whether what stands after this arrow is a message rather than a formula."""
        if self.peek().kind == STRING:
            return True
        distance, depth = 2, 0
        if self.peek(distance).text == "[":
            while True:
                text = self.peek(distance).text
                depth += (text == "[") - (text == "]")
                distance += 1
                if depth == 0 or self.peek(distance).kind == "end":
                    break
        after = self.peek(distance).text
        if after == "+":
            return self.peek(distance + 1).text != "("
        return self.peek().kind == "name" and after not in ("(", "*", "==", "!=")

    def _unary(self) -> FormulaSyntax:
        token = self.token
        match token.text:
            case "!":
                self.take()
                return Connective("!", (self._unary(),))
            case "(":
                return self._parenthesised()
            case "E" | "A":
                self.take()
                variables = self.variables()
                return Quantified(token.text, variables, self._binary(1))
            case "TC":
                return self._closure()
            case "&" | "|" if self.peek().text == "/":
                return self._composite()
        if token.kind == NUMBER:
            return self.truth()
        if not self.is_identifier():
            hint = "put a quantified formula before '->' in parentheses" if token.kind == STRING else ""
            raise self.unexpected("a formula", hint)
        return self._atom()

    def truth(self) -> Truth:
        token = self.take()
        if token.text == "0":
            return FALSE
        if token.text == "1":
            if self.token.text == "/" and self.peek().text == "2":
                self.take()
                self.take()
                return HALF
            return TRUE
        raise InputError(f"{token.shown} is no truth value: there are 0, 1 and 1/2", token.span)

    def _parenthesised(self) -> FormulaSyntax:
        opening = self.take()
        inner = self._binary(1)
        if self.accept("?"):
            then = self._binary(1)
            self.expect(":", "of '? :'")
            other = self._binary(1)
            inner = Connective("?", (inner, then, other))
        self.close(")", opening)
        return inner

    def _closure(self) -> FormulaSyntax:
        token = self.take()
        ends, step = self.variables(), self.variables()
        if len(ends) != 2 or len(step) != 2:
            raise InputError("TC is written TC(u,v)(a,b) formula", token.span)
        if step[0] == step[1]:
            raise InputError(f"the variables of the step of TC must differ, both are {step[0]}", token.span)
        return Closure(*ends, *step, self._binary(1))

    def _composite(self) -> FormulaSyntax:
        operator = self.take().text
        self.take()
        opening = self.expect("{")
        body = self._binary(1)
        self.expect(":", "of a composite formula")
        variable = self.identifier("a name")
        found = self.in_set()
        self.close("}", opening)
        return Composite(operator, body, variable, found)

    def _atom(self) -> FormulaSyntax:
        token = self.token
        name = self.name("a predicate")
        if not name.parameters and self.token.text in ("==", "!="):
            operator = self.take().text
            equal = Equal(token.text, self.identifier("a variable").text)
            return equal if operator == "==" else Connective("!", (equal,))
        if self.token.text not in ("*", "+"):
            return Application(name, self.variables(), token)
        operator = self.take().text
        ends = self.variables()
        if len(ends) != 2:
            raise InputError(f"{name}{operator} has two arguments, not {len(ends)}", token.span)
        path = Closure(*ends, *_STEP, Application(name, _STEP, token))
        return Connective("|", (Equal(*ends), path)) if operator == "*" else path

    # Messages

    def message(self) -> MessageText:
        parts = [self._message_part()]
        while self.accept("+"):
            parts.append(self._message_part())
        return tuple(parts)

    def _message_part(self) -> str | Name:
        if self.token.kind == STRING:
            return self.take().text[1:-1]
        if not self.is_identifier():
            raise self.unexpected("a message")
        return self.name()
