"""The syntax tree of a TVP program: what the parser gives to the expansion.

Names may have parameters (`r[n,x]`), and `foreach`, set comprehensions, composite formulas and actions bind identifiers
that stand for names. Variables of formulas are never replaced.

The nodes are named tuples: they cost a fraction of what dataclasses cost when the module is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from heapwright.logic.formulas import Equal, Kleene, Truth
from heapwright.tvp.tokens import Token

T = TypeVar("T")


class Name(NamedTuple):
    head: str
    parameters: tuple[Name, ...] = ()
    place: Token | None = None  # makes no difference

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and self[:2] == other[:2]

    def __hash__(self) -> int:
        return hash(self[:2])

    def __str__(self) -> str:
        return f"{self.head}[{','.join(map(str, self.parameters))}]" if self.parameters else self.head


# Sets


class SetName(NamedTuple):
    token: Token


class Members(NamedTuple):
    names: tuple[Name, ...]


class Comprehension(NamedTuple):
    """{ names : variable in members }"""

    names: tuple[Name, ...]
    variable: Token
    members: SetExpression


class Combined(NamedTuple):
    operator: str  # + - &
    left: SetExpression
    right: SetExpression


SetExpression = SetName | Members | Comprehension | Combined


class Foreach(NamedTuple, Generic[T]):
    variable: Token
    members: SetExpression
    items: tuple[T | Foreach[T], ...]


# Formulas


class Application(NamedTuple):
    name: Name
    arguments: tuple[str, ...]
    token: Token


class Connective(NamedTuple):
    """`!` of one, `<->` of two, `?` of three, `&` and `|` of any number of operands."""

    operator: str
    operands: tuple[FormulaSyntax, ...]


class Quantified(NamedTuple):
    quantifier: str  # E or A
    variables: tuple[str, ...]
    body: FormulaSyntax


class Closure(NamedTuple):
    left: str
    right: str
    source: str
    target: str
    body: FormulaSyntax


class Composite(NamedTuple):
    """&/{ body : variable in members }"""

    operator: str
    body: FormulaSyntax
    variable: Token
    members: SetExpression


FormulaSyntax = Truth | Equal | Application | Connective | Quantified | Closure | Composite


class Placed(NamedTuple):
    """A formula and where it begins."""

    formula: FormulaSyntax
    token: Token


MessageText = tuple[str | Name, ...]


class MessageSyntax(NamedTuple):
    formula: Placed
    text: MessageText
    token: Token


class UpdateSyntax(NamedTuple):
    name: Name
    parameters: tuple[str, ...]
    formula: Placed
    derived: bool
    token: Token


# Declarations


class Property(NamedTuple):
    token: Token
    arguments: tuple[Name, ...] = ()


class PredicateSyntax(NamedTuple):
    name: Name
    parameters: tuple[str, ...]
    definition: Placed | None
    properties: tuple[Property, ...]
    shown: frozenset[Kleene] | None
    token: Token


class ConstraintSyntax(NamedTuple):
    body: Placed
    head: Placed
    token: Token


class FocusSyntax(NamedTuple):
    formulas: tuple[Placed | Foreach[Placed], ...]


Declaration = PredicateSyntax | ConstraintSyntax | FocusSyntax | MessageSyntax

# Actions and the control-flow graph


class ActionSyntax(NamedTuple):
    name: Token
    parameters: tuple[str, ...]
    fixed: tuple[tuple[Token, SetExpression], ...] = ()  # %param: each stands for the first member of its set
    title: MessageText = ()
    focus: tuple[Placed | Foreach[Placed], ...] = ()
    precondition: Placed | None = None
    messages: tuple[MessageSyntax, ...] = ()
    new: tuple[Token, Placed | None] | None = None
    clone: tuple[Token, Placed | None] | None = None
    updates: tuple[UpdateSyntax | Foreach[UpdateSyntax], ...] = ()
    retain: Placed | None = None
    messages_after: tuple[MessageSyntax, ...] = ()


class EdgeSyntax(NamedTuple):
    source: Token
    action: Token
    arguments: tuple[Name, ...]
    target: Token


@dataclass
class ProgramSyntax:
    sets: dict[str, tuple[Name, ...]] = field(default_factory=dict)
    declarations: list[Declaration | Foreach[Declaration]] = field(default_factory=list)
    actions: dict[str, ActionSyntax] = field(default_factory=dict)
    edges: list[EdgeSyntax] = field(default_factory=list)
    printed: list[Token] = field(default_factory=list)
