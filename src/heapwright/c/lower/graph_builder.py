"""Control-flow graph builder.

It has a current location; `emit` appends an edge to a fresh one. A location of None means that the
code being lowered cannot be reached, and then nothing is emitted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from heapwright.base.source import NOWHERE, Span
from heapwright.program.checks import DEREF_KINDS, FREE_KINDS, Check, CheckKind
from heapwright.program.commands import (
    AnyPointer,
    Assert,
    Assign,
    Assume,
    Command,
    Copy,
    Fill,
    Follow,
    Free,
    Inspect,
    Leave,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    New,
    Reinterpret,
    Scramble,
    Shift,
    Skip,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.dataflow.liveness import literal_variables, used
from heapwright.program.expressions import Compare, Const, Literal, Null, Pointer, Var, compare, negate
from heapwright.program.graph import Assumption, Edge, Location
from heapwright.program.types import IntType, ValueKind, Variable

INT = IntType(32, True)
FALSE = Compare("!=", Const(0, INT), Const(0, INT))

DROPPERS = (Assign, Load, Follow, Shift, Reinterpret, LoadCell, AnyPointer)  # by overwriting their target


class GraphBuilder:
    """Locations, edges and variables of one program."""

    def __init__(self) -> None:
        self.locations: list[Location] = []
        self.edges: list[Edge[Command]] = []
        self.variables: dict[str, Variable] = {}
        self.assumptions: dict[Assumption, None] = {}
        self.function = ""
        self.span = NOWHERE
        self.calls: tuple[Span, ...] = ()
        self.fixed_span: Span | None = None  # inside a library model everything happens at the call
        self.model = ""  # ... of this function
        self.arguments: dict[str, str] = {}  # ... whose parameters have these texts
        self.current: int | None = None
        self.checks_accesses = True  # False where lowering itself accesses what is there
        self._temporaries = 0

    # --- locations and edges --------------------------------------------------------------------------------------

    def location(self) -> int:
        index = len(self.locations)
        self.locations.append(Location(index, self.span, self.function, self.calls, self.model))
        return index

    def at(self, span: Span) -> None:
        """Sets the source span of the commands that follow."""
        self.span = self.fixed_span or span

    def emit(self, command: Command, checks: Iterable[Check] = (), target: int | None = None) -> None:
        if self.current is None:
            return
        end = self.location() if target is None else target
        self.edges.append(Edge(self.current, command, end, tuple(checks), self.span))
        self.current = end if target is None else None

    def goto(self, target: int) -> None:
        """Continue at a location; the current one becomes unreachable."""
        self.emit(Skip(), target=target)

    def assume(self, literal: Literal) -> None:
        self.emit(Assume(literal), self.literal_leak(literal))

    def split(self, literal: Literal, yes: int, no: int) -> None:
        """Branch on a literal; nothing follows the current location."""
        if isinstance(literal, Compare) and isinstance(literal.left, Const) and isinstance(literal.right, Const):
            self.goto(yes if compare(literal.op, literal.left.value, literal.right.value) else no)
            return
        start = self.current
        for side, target in ((literal, yes), (negate(literal), no)):
            self.current = start
            self.emit(Assume(side), self.literal_leak(side), target)

    # --- variables ------------------------------------------------------------------------------------------------

    def declare(self, variable: Variable) -> str:
        self.variables[variable.name] = variable
        return variable.name

    def temporary(self, kind: ValueKind, type: IntType | None = None, target: str = "") -> str:
        self._temporaries += 1
        name = f"${self._temporaries}"
        return self.declare(Variable(name, kind, type, target, "", self.function))

    def pointer_temporary(self, target: str = "") -> str:
        return self.temporary(ValueKind.POINTER, None, target)

    def data_temporary(self, type: IntType) -> str:
        return self.temporary(ValueKind.DATA, type)

    # --- checks ---------------------------------------------------------------------------------------------------

    def check(self, kind: CheckKind, subject: str = "", error_function: str = "") -> Check:
        return Check(kind, self.span, self.function, self.in_words_of_user(subject), error_function)

    def in_words_of_user(self, subject: str) -> str:
        """A subject inside a library model as the argument that the user wrote, "" if it is none."""
        if not self.model:
            return subject
        name = re.match(r"[*&(]*([A-Za-z_]\w*)", subject)
        return self.arguments.get(name[1], "") if name else ""

    def literal_leak(self, literal: Literal) -> tuple[Check, ...]:
        """A leak check where a temporary that a test reads may hold the last pointer to a block and dies."""
        return (self.check(CheckKind.LEAK),) if self.reads_dying(literal_variables(literal)) else ()

    def reads_dying(self, names: Iterable[str]) -> bool:
        """Whether there is a pointer among temporaries, which die with their last use."""
        variables = (self.variables[name] for name in names)
        return any(variable.temporary and variable.kind is ValueKind.POINTER for variable in variables)

    def emit_checked(self, command: Command, subject: str = "") -> None:
        """Emit a command with every check that it needs."""
        checks: list[Check] = []
        if isinstance(command, DEREFERENCES) and self.checks_accesses:
            checks += [self.check(kind, subject) for kind in DEREF_KINDS]
        if isinstance(command, Free):
            checks += [self.check(kind, subject) for kind in FREE_KINDS]
        if self.may_drop(command):
            checks.append(self.check(CheckKind.LEAK, subject))
        self.emit(command, checks)

    def inspect(self, pointer: Pointer, kinds: Iterable[CheckKind], subject: str) -> None:
        """Emit checks of a pointer, which may be null, without an access."""
        if isinstance(pointer, Null):
            return
        if not isinstance(pointer, Var):
            name = self.pointer_temporary()
            self.emit(Assign(name, pointer))
            pointer = Var(name)
        checks = [self.check(kind, subject) for kind in kinds]
        if self.reads_dying((pointer.name,)):
            checks.append(self.check(CheckKind.LEAK, subject))
        self.emit(Inspect(pointer.name), checks)

    def may_drop(self, command: Command) -> bool:
        """Whether a command may drop the last pointer to a block: overwritten, or in a dying temporary."""
        if self.reads_dying(used(command)):
            return True
        if isinstance(command, New | Store | StoreCell | Scramble | Free | Leave | Copy | Fill):
            return True
        target = getattr(command, "target", None) if isinstance(command, DROPPERS) else None
        return target is not None and not self.variables[target].temporary

    def fail(self, kind: CheckKind, subject: str, error_function: str = "") -> None:
        """A check that fails whenever the current location is reached; nothing follows."""
        self.emit(Assert(FALSE, self.check(kind, subject, error_function)))
        self.current = None

    def unsupported(self, construct: str, span: Span, outcome: Literal) -> None:
        """A construct that is not supported: what happens if a run comes here is not known. `outcome` is a literal that
        may or may not hold, so that the check is neither violated nor proved where it is reached."""
        self.at(span)
        subject = construct.rstrip(",")
        check = Check(CheckKind.ASSERT, self.span, self.function, subject, unsupported=True)
        self.emit(Assert(outcome, check))
        self.emit(Assume(FALSE))
        self.current = None

    def assumption(self, text: str, span: Span | None = None) -> None:
        self.assumptions.setdefault(Assumption(text, span))


DEREFERENCES = (
    *(Load, Store, LoadData, StoreData, Scramble, LoadCell, StoreCell, LoadDataCell, StoreDataCell),
    *(Copy, Fill),
)
