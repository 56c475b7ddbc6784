"""The syntax tree of a TVP program: what the parser gives to the expansion.

Names may have parameters (`r[n,x]`), and `foreach`, set comprehensions, composite formulas and actions bind identifiers
that stand for names. Variables of formulas are never replaced.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from heapwright.logic.formulas import Equal, Kleene, Truth
from heapwright.tvp.tokens import Token

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Name:
    head: str
    parameters: tuple[Name, ...] = ()
    place: Token | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.head}[{','.join(map(str, self.parameters))}]" if self.parameters else self.head


# Sets


@dataclass(frozen=True, slots=True)
class SetName:
    token: Token


@dataclass(frozen=True, slots=True)
class Members:
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Comprehension:
    """{ names : variable in members }"""

    names: tuple[Name, ...]
    variable: Token
    members: SetExpression


@dataclass(frozen=True, slots=True)
class Combined:
    operator: str  # + - &
    left: SetExpression
    right: SetExpression


SetExpression = SetName | Members | Comprehension | Combined


@dataclass(frozen=True, slots=True)
class Foreach(Generic[T]):
    variable: Token
    members: SetExpression
    items: tuple[T | Foreach[T], ...]


# Formulas


@dataclass(frozen=True, slots=True)
class Application:
    name: Name
    arguments: tuple[str, ...]
    token: Token


@dataclass(frozen=True, slots=True)
class Connective:
    """`!` of one, `<->` of two, `?` of three, `&` and `|` of any number of operands."""

    operator: str
    operands: tuple[FormulaSyntax, ...]


@dataclass(frozen=True, slots=True)
class Quantified:
    quantifier: str  # E or A
    variables: tuple[str, ...]
    body: FormulaSyntax


@dataclass(frozen=True, slots=True)
class Closure:
    left: str
    right: str
    source: str
    target: str
    body: FormulaSyntax


@dataclass(frozen=True, slots=True)
class Composite:
    """&/{ body : variable in members }"""

    operator: str
    body: FormulaSyntax
    variable: Token
    members: SetExpression


FormulaSyntax = Truth | Equal | Application | Connective | Quantified | Closure | Composite


@dataclass(frozen=True, slots=True)
class Placed:
    """A formula and where it begins."""

    formula: FormulaSyntax
    token: Token


MessageText = tuple[str | Name, ...]


@dataclass(frozen=True, slots=True)
class MessageSyntax:
    formula: Placed
    text: MessageText
    token: Token


@dataclass(frozen=True, slots=True)
class UpdateSyntax:
    name: Name
    parameters: tuple[str, ...]
    formula: Placed
    derived: bool
    token: Token


# Declarations


@dataclass(frozen=True, slots=True)
class Property:
    token: Token
    arguments: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class PredicateSyntax:
    name: Name
    parameters: tuple[str, ...]
    definition: Placed | None
    properties: tuple[Property, ...]
    shown: frozenset[Kleene] | None
    token: Token


@dataclass(frozen=True, slots=True)
class ConstraintSyntax:
    body: Placed
    head: Placed
    token: Token


@dataclass(frozen=True, slots=True)
class FocusSyntax:
    formulas: tuple[Placed | Foreach[Placed], ...]


Declaration = PredicateSyntax | ConstraintSyntax | FocusSyntax | MessageSyntax

# Actions and the control-flow graph


@dataclass(frozen=True, slots=True)
class ActionSyntax:
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


@dataclass(frozen=True, slots=True)
class EdgeSyntax:
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
