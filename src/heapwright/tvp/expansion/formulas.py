"""Formulas of the syntax tree turned into formulas of the logic, all names resolved and checked."""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.base.errors import InputError
from heapwright.logic.formulas import (
    FALSE,
    TRUE,
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Iff,
    IfThenElse,
    Not,
    Or,
    TransitiveClosure,
    Truth,
)
from heapwright.tvp.preprocessing.tokens import Token
from heapwright.tvp.specification import ALIASES, LOGICAL, ORDINARY
from heapwright.tvp.syntax.name_sets import Environment, Sets, bind, members, resolve
from heapwright.tvp.syntax.tree import (
    Application,
    Closure,
    Composite,
    Connective,
    FormulaSyntax,
    LocatedFormula,
    MessageText,
    Name,
    Quantified,
)


class Expander:
    """Turns formulas into logic; `arities` are the declared predicates, `mentioned` those built in that were met."""

    def __init__(self, arities: Mapping[str, int], sets: Sets) -> None:
        self.arities = arities
        self.sets = sets
        self.mentioned: set[str] = set()

    def predicate(self, name: Name, arity: int, token: Token, environment: Environment) -> str:
        """The flat name of a predicate that is used with so many arguments."""
        flat = str(resolve(name, environment))
        declared = self.arities.get(flat)
        if declared is None:
            flat = ALIASES.get(flat, flat)
            if flat in ORDINARY:
                self.mentioned.add(flat)
                declared = ORDINARY[flat].arity
            elif flat in LOGICAL:
                declared = LOGICAL[flat]
            else:
                raise InputError(f"predicate {flat} is not declared", token.span, _hint(flat, self.arities))
        if declared != arity:
            raise InputError(f"predicate {flat} has {_arguments(declared)}, not {arity}", token.span)
        return flat

    def whole_formula(self, located: LocatedFormula, environment: Environment) -> Formula:
        try:
            return self.formula(located.formula, environment)
        except RecursionError:
            raise InputError("this formula is nested too deeply", located.token.span) from None

    def formula(self, formula: FormulaSyntax, environment: Environment) -> Formula:
        match formula:
            case Application(name, arguments, token):
                return Atom(self.predicate(name, len(arguments), token, environment), arguments)
            case Connective(operator, operands):
                return _connected(operator, tuple(self.formula(operand, environment) for operand in operands))
            case Quantified(quantifier, variables, body):
                inner = self.formula(body, environment)
                if not variables:
                    return inner
                return Exists(variables, inner) if quantifier == "E" else ForAll(variables, inner)
            case Closure(left, right, source, target, body):
                return TransitiveClosure(left, right, source, target, self.formula(body, environment))
            case Composite(operator, body, variable, expression):
                parts = tuple(
                    self.formula(body, bind(environment, variable, member))
                    for member in members(expression, environment, self.sets)
                )
                if not parts:
                    return TRUE if operator == "&" else FALSE
                return parts[0] if len(parts) == 1 else _connected(operator, parts)
            case Truth() | Equal():
                return formula

    def message(self, text: MessageText, environment: Environment) -> str:
        return "".join(part if isinstance(part, str) else str(resolve(part, environment)) for part in text)


def _connected(operator: str, operands: tuple[Formula, ...]) -> Formula:
    match operator:
        case "!":
            return Not(operands[0])
        case "&":
            return And(operands)
        case "|":
            return Or(operands)
        case "<->":
            return Iff(*operands)
        case _:
            return IfThenElse(*operands)


def _arguments(count: int) -> str:
    return "no arguments" if count == 0 else "1 argument" if count == 1 else f"{count} arguments"


def _hint(name: str, known: Mapping[str, int]) -> str:
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else ""
