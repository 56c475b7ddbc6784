"""The syntax tree of a TVP program, from the parser to the expansion.

Names may have parameters (`r[n,x]`), and `foreach`, set comprehensions, composite formulas and actions bind identifiers
that stand for names. Variables of formulas are never replaced.

"""

from __future__ import annotations

from typing import Generic, TypeVar

from heapwright.base.immutable import Immutable
from heapwright.logic.formulas import Equal, Kleene, Truth
from heapwright.tvp.preprocessing.tokens import Token

T = TypeVar("T")


class Name(Immutable):
    head: str
    parameters: tuple[Name, ...] = ()
    token: Token | None = None  # makes no difference

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and self.head == other.head and self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash((self.head, self.parameters))

    def __str__(self) -> str:
        return f"{self.head}[{','.join(map(str, self.parameters))}]" if self.parameters else self.head


# Sets


class SetName(Immutable):
    token: Token


class Members(Immutable):
    names: tuple[Name, ...]


class Comprehension(Immutable):
    """{ names : variable in members }"""

    names: tuple[Name, ...]
    variable: Token
    members: SetExpression


class SetOperation(Immutable):
    operator: str  # + - &
    left: SetExpression
    right: SetExpression


SetExpression = SetName | Members | Comprehension | SetOperation


class Foreach(Immutable, Generic[T]):
    variable: Token
    members: SetExpression
    items: tuple[T | Foreach[T], ...]


# Formulas


class Application(Immutable):
    name: Name
    arguments: tuple[str, ...]
    token: Token


class Connective(Immutable):
    """`!` of one, `<->` of two, `?` of three, `&` and `|` of any number of operands."""

    operator: str
    operands: tuple[FormulaSyntax, ...]


class Quantified(Immutable):
    quantifier: str  # E or A
    variables: tuple[str, ...]
    body: FormulaSyntax


class Closure(Immutable):
    left: str
    right: str
    source: str
    target: str
    body: FormulaSyntax


class Composite(Immutable):
    """&/{ body : variable in members }"""

    operator: str
    body: FormulaSyntax
    variable: Token
    members: SetExpression


FormulaSyntax = Truth | Equal | Application | Connective | Quantified | Closure | Composite


class LocatedFormula(Immutable):
    """A formula and where it begins."""

    formula: FormulaSyntax
    token: Token


MessageText = tuple[str | Name, ...]


class MessageSyntax(Immutable):
    formula: LocatedFormula
    text: MessageText
    token: Token


class UpdateSyntax(Immutable):
    name: Name
    parameters: tuple[str, ...]
    formula: LocatedFormula
    derived: bool
    token: Token


# Declarations


class Property(Immutable):
    token: Token
    arguments: tuple[Name, ...] = ()


class PredicateSyntax(Immutable):
    name: Name
    parameters: tuple[str, ...]
    definition: LocatedFormula | None
    properties: tuple[Property, ...]
    shown: frozenset[Kleene] | None
    token: Token


class ConstraintSyntax(Immutable):
    body: LocatedFormula
    head: LocatedFormula
    token: Token


class FocusSyntax(Immutable):
    formulas: tuple[LocatedFormula | Foreach[LocatedFormula], ...]
    token: Token


Declaration = PredicateSyntax | ConstraintSyntax | FocusSyntax | MessageSyntax

# Actions and the control-flow graph


class ActionSyntax(Immutable):
    name: Token
    parameters: tuple[str, ...]
    fixed: tuple[tuple[Token, SetExpression], ...] = ()  # %param: each stands for the first member of its set
    title: MessageText = ()
    focus: tuple[LocatedFormula | Foreach[LocatedFormula], ...] = ()
    precondition: LocatedFormula | None = None
    messages: tuple[MessageSyntax, ...] = ()
    new: tuple[Token, LocatedFormula | None] | None = None
    clone: tuple[Token, LocatedFormula | None] | None = None
    updates: tuple[UpdateSyntax | Foreach[UpdateSyntax], ...] = ()
    retain: LocatedFormula | None = None
    messages_after: tuple[MessageSyntax, ...] = ()


class EdgeSyntax(Immutable):
    source: Token
    action: Token
    arguments: tuple[Name, ...]
    target: Token


class ProgramSyntax:
    def __init__(self) -> None:
        self.sets: dict[str, tuple[Name, ...]] = {}
        self.declarations: list[Declaration | Foreach[Declaration]] = []
        self.actions: dict[str, ActionSyntax] = {}
        self.edges: list[EdgeSyntax] = []
        self.printed: list[Token] = []
