"""Heap formulas from text, as `printing.text` writes them.

    reach(x, v, next)      between(x, v, y, next)      alive(v)      x = v.next      v#data <= #i + 1
    !a      a & b      a | b      a -> b      (a)      true      false

Names are those of the program (`create::l` is the variable l of the function create); a number is `#i`, and the data
field d of an object is `x#d`; `x#2` is the second variable of that name. A variable that is called v, null, junk or
fresh is written with a quote: `` `v ``.

>>> text(parse("reach(x, v, next) -> !(v = null | alive(v))"))
'!reach(x, v, next) | (null != v & !alive(v))'
"""

from __future__ import annotations

import re
from typing import TypeVar

from heapwright.base.errors import UsageError
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.printing import text
from heapwright.logic.connectives import FALSE, TRUE

__all__ = ["parse", "parse_number", "parse_term", "text"]

T = TypeVar("T")
TOKEN = re.compile(r"\s*(?:(->|!=|<=|>=|[()!&|=<>.,#+-])|(\d+)|(`?[A-Za-z_$&?][\w$?]*(?:::[\w$&?]+)*(?:[@#]\d+)*))")


def parse(given: str) -> f.Formula:
    """The formula of a text."""
    return _Parser(given).whole()


def parse_term(given: str) -> f.Term:
    """The term of a text: a name, or a field of a term."""
    parser = _Parser(given)
    return parser.ended(parser.term())


def parse_number(given: str) -> f.Numeric:
    parser = _Parser(given)
    side = parser.ended(parser.side())
    if isinstance(side, f.Term):
        raise UsageError(f"'{given}' is not a number")
    return side


class _Parser:
    def __init__(self, given: str) -> None:
        self.given = given
        self.tokens: list[str] = []
        index, end = 0, len(given.rstrip())
        while index < end:
            found = TOKEN.match(given, index)
            if found is None:
                raise self._error(f"unexpected symbol {given[index:].strip()[:1]!r}")
            self.tokens.append(found.group().strip())
            index = found.end()
        self.at = 0

    def _error(self, what: str) -> UsageError:
        return UsageError(
            f"cannot read the predicate '{self.given}': {what}",
            hint="for instance: reach(x, v, next), x = v, alive(v), v.next = y, #i < v#data, with ! & | -> ( )",
        )

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def _expect(self, symbol: str) -> None:
        found = self._take()
        if found != symbol:
            raise self._error(f"'{symbol}' is missing before '{found}'" if found else f"'{symbol}' is missing")

    def whole(self) -> f.Formula:
        return self.ended(self._implication())

    def ended(self, found: T) -> T:
        """The result, if the input ends here."""
        if self._peek():
            raise self._error(f"unexpected '{self._peek()}'")
        return found

    def _implication(self) -> f.Formula:
        left = self._disjunction()
        if self._peek() != "->":
            return left
        self._take()
        return f.implies(left, self._implication())

    def _disjunction(self) -> f.Formula:
        parts = [self._conjunction()]
        while self._peek() == "|":
            self._take()
            parts.append(self._conjunction())
        return f.disj(*parts)

    def _conjunction(self) -> f.Formula:
        parts = [self._unary()]
        while self._peek() == "&":
            self._take()
            parts.append(self._unary())
        return f.conj(*parts)

    def _unary(self) -> f.Formula:
        if self._peek() == "!":
            self._take()
            return f.negation(self._unary())
        if self._peek() == "(":
            self._take()
            inner = self._implication()
            self._expect(")")
            return inner
        return self._atom()

    def _atom(self) -> f.Formula:
        word, following = self._peek(), self.tokens[self.at + 1 : self.at + 2]
        if word in ("true", "false") and following != ["("]:
            self._take()
            return TRUE if word == "true" else FALSE
        if following == ["("]:
            return self._relation()
        left = self.side()
        symbol = self._take()
        right = self.side()
        if isinstance(left, f.Term) and isinstance(right, f.Term):
            if symbol not in ("=", "!="):
                raise self._error(f"objects are compared by = or !=, not by '{symbol}'")
            return f.eq(left, right) if symbol == "=" else f.negation(f.eq(left, right))
        if isinstance(left, f.Term) or isinstance(right, f.Term):
            raise self._error("an object is compared with a number; a number is #i, a data field x#d")
        if symbol not in f.COMPARISONS:
            raise self._error("a comparison is missing")
        return f.comparison(symbol, left, right)

    def _relation(self) -> f.Formula:
        relation = self._take()
        self._expect("(")
        if relation == "mark":
            mark = self._word()
            self._expect(",")
            object = self.term()
            self._expect(")")
            return f.Marked(mark, object)
        wanted = {"alive": 1, "reach": 2, "between": 3}
        if relation not in wanted:
            raise self._error(f"unknown relation '{relation}' (relations: alive, reach, between, mark)")
        objects = [self.term()]
        while len(objects) < wanted[relation]:
            self._expect(",")
            objects.append(self.term())
        path = ""
        if relation != "alive":
            self._expect(",")
            path = self._word()
        self._expect(")")
        if relation == "alive":
            return f.alive(objects[0])
        return f.reach(path, *objects) if relation == "reach" else f.between(path, *objects)

    def _word(self) -> str:
        found = self._take()
        if not found or not (found[0].isalpha() or found[0] in "_$&?`"):
            raise self._error(f"a name is missing before '{found}'" if found else "a name is missing at the end")
        return found

    def term(self) -> f.Term:
        word = self._word()
        term: f.Term = f.RESERVED.get(word, f.Name(word.removeprefix("`")))
        while self._peek() == ".":
            self._take()
            term = f.field(self._word(), term)
        return term

    def side(self) -> f.Term | f.Numeric:
        side: f.Term | f.Numeric
        if self._peek() in ("#", "-") or self._peek().isdigit():
            side = self._number()
        else:
            term = self.term()
            if self._peek() != "#":
                return term
            self._take()
            side = f.Data(self._word(), term)
        while self._peek() in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            side = f.plus(side, sign * self._digits())
        return side

    def _number(self) -> f.Numeric:
        if self._peek() == "#":
            self._take()
            return f.Number(self._word())
        sign = 1
        if self._peek() == "-":
            self._take()
            sign = -1
        return f.Constant(sign * self._digits())

    def _digits(self) -> int:
        found = self._take()
        if not found.isdigit():
            raise self._error("a number is missing")
        return int(found)
