"""Commands: the primitive steps that label the edges of a control-flow graph.

Pointer variables and objects appear by name; the dereferenced variable of a command is `base`. A command is a plain
value: its semantics is defined by semantics/transitions.py; the checks of its edge are tested before it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from heapwright.program.checks import Check
from heapwright.program.expressions import Expr, IntVar, Literal, Pointer
from heapwright.program.requests import Request
from heapwright.program.types import IntType, Storage


@dataclass(frozen=True, slots=True)
class Assign:
    """target = null | junk | variable"""

    target: str
    value: Pointer


@dataclass(frozen=True, slots=True)
class Load:
    """target = base.field, a pointer field"""

    target: str
    base: str
    field: str


@dataclass(frozen=True, slots=True)
class Store:
    """base.field = value, a pointer field"""

    base: str
    field: str
    value: Pointer


@dataclass(frozen=True, slots=True)
class Follow:
    """target = base.link, where link leads from an owner to its part (`list$`) or back (`owner$node.list`).

    Address arithmetic: nothing is dereferenced. `owner` is the type that owns the part, `part` the part's name,
    `up` the direction."""

    target: str
    base: str
    owner: str
    part: str
    up: bool


@dataclass(frozen=True, slots=True)
class Shift:
    """target = base + offset, in cells of the array that base points into; nothing is dereferenced. `unit` is the cell
    size in bytes by the C type, 0 where it is that of the array."""

    target: str
    base: str
    offset: Expr
    unit: int = 0


@dataclass(frozen=True, slots=True)
class Reinterpret:
    """target = (type *) base: the object of that type with base's address (an owner or a part at offset 0), else base
    itself. A block without a type gets this one."""

    target: str
    base: str
    type: str


@dataclass(frozen=True, slots=True)
class New:
    """target = address of a new block: one object of `type`, or an array of `count` of them, of `size` bytes if that
    differs. `type` "" is a block whose type the first `Reinterpret` decides. Fields start as junk or any value, or as
    null and 0 if `zeroed`. With `may_fail` the result may be null, which is an input. `replaces` points to the block
    that realloc moves here; the new one may have its address, which is an input, too."""

    target: str
    type: str
    storage: Storage
    count: Expr | None = None
    size: Expr | None = None
    zeroed: bool = False
    may_fail: bool = False
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class Free:
    """The block that `base` points to ends: one of the heap or, for a call that `closes` a stream, any."""

    base: str
    closes: bool = False


@dataclass(frozen=True, slots=True)
class Leave:
    """The scope of the stack block that `base` points to ends."""

    base: str


@dataclass(frozen=True, slots=True)
class AnyPointer:
    """target = any pointer to an object of `type` in an input heap, or null: an input. The fields of input objects are
    inputs in turn, decided when they are first read. With `environment` it is a result of a function without a body:
    null, an object that has escaped to the environment, or memory of the environment, which is never a leak. With
    `count`, a variable, it is an array of so many strings and a null, as `main` gets it. A `fresh` one leads to no
    object that was there before."""

    target: str
    type: str
    environment: bool = False
    count: str = ""
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class External:
    """A call of a function without a body, to which `pointers` are passed. Everything that they lead to escapes. The
    fields of everything that has escaped so far become inputs again, decided when they are first read: null, escaped
    objects or memory of the environment. Other pointers are lent to it, each with the type of the objects that it must
    not write: their targets do not escape, and the fields of everything else become inputs."""

    function: str
    pointers: tuple[str, ...] = ()
    lent: tuple[tuple[str, str], ...] = ()


# --- data ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compute:
    """target = value"""

    target: str
    value: Expr


@dataclass(frozen=True, slots=True)
class LoadData:
    target: str
    base: str
    field: str


@dataclass(frozen=True, slots=True)
class StoreData:
    base: str
    field: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Havoc:
    """target = any value of its type between `low` and `high`. `source` names the function that a C test stubs, such
    as `__VERIFIER_nondet_int`; an `approximate` one replaces an expression that lowering does not model exactly."""

    target: str
    type: IntType
    source: str = ""
    approximate: bool = False
    low: int | None = None
    high: int | None = None

    @property
    def reads(self) -> tuple[Expr, ...]:
        """The inputs that the value depends on, if they are known."""
        return ()


@dataclass(frozen=True, slots=True)
class FloatingPoint(Havoc):
    """target = an operation on floating-point numbers of `size` bytes, which are held as bit patterns
    (floating_point.py). Engines take it for the havoc that it is, too."""

    operation: str = ""
    operands: tuple[Expr, ...] = ()
    size: int = 8

    @property
    def reads(self) -> tuple[Expr, ...]:
        return self.operands


@dataclass(frozen=True, slots=True)
class Overlay(Havoc):
    """target = what its bits say after `value` was written to the same memory, `bit` bits behind the first one of
    target: a member of a union that is a variable, of which another one was written."""

    value: Expr | None = None
    bit: int = 0

    @property
    def reads(self) -> tuple[Expr, ...]:
        return (IntVar(self.target, self.type), *(() if self.value is None else (self.value,)))


@dataclass(frozen=True, slots=True)
class ToInteger(Havoc):
    """target = (uintptr_t) pointer. Engines may take it for a havoc."""

    pointer: str = ""


@dataclass(frozen=True, slots=True)
class FromInteger(Assign):
    """target = (T *) integer, which is not 0. Engines may take it for the assignment of an unknown pointer."""

    integer: Expr | None = None


@dataclass(frozen=True, slots=True)
class Scramble:
    """Another member of a union than base.field is written next, its bytes `start` to `end`: this one has any value
    afterwards, or is junk. In a run it has what its bytes say."""

    base: str
    field: str
    start: int = 0
    end: int = sys.maxsize


@dataclass(frozen=True, slots=True)
class Distance:
    """target = left - right; both point into one block. `unit` is the cell size in bytes by the C type, 0 where it is
    that of the array."""

    target: str
    left: str
    right: str
    unit: int = 0


@dataclass(frozen=True, slots=True)
class Length:
    """target = the number of cells of the array that base points into, 1 for a single object"""

    target: str
    base: str


# --- arrays ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LoadCell:
    """target = base[index], a pointer. `direct`: base is an array in the source, no pointer, so that the cells are its
    own; a pointer to a row of a matrix may go on to other rows."""

    target: str
    base: str
    index: Expr
    direct: bool = False


@dataclass(frozen=True, slots=True)
class StoreCell:
    """base[index] = value, a pointer"""

    base: str
    index: Expr
    value: Pointer
    direct: bool = False


@dataclass(frozen=True, slots=True)
class LoadDataCell:
    target: str
    base: str
    index: Expr
    direct: bool = False


@dataclass(frozen=True, slots=True)
class StoreDataCell:
    base: str
    index: Expr
    value: Expr
    direct: bool = False


# --- bytes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Copy:
    """memmove(base, source, size); without a size as many bytes as both blocks have."""

    base: str
    source: str
    size: Expr | None = None


@dataclass(frozen=True, slots=True)
class Fill:
    """memset(base, value, size)"""

    base: str
    value: Expr
    size: Expr


@dataclass(frozen=True, slots=True)
class Inspect:
    """No access, but base must be null or fit for one (neither junk nor ended), or for `free`: as the checks say."""

    base: str


@dataclass(frozen=True, slots=True)
class Protect:
    base: str  # its block becomes read-only


# --- control ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assume:
    literal: Literal


@dataclass(frozen=True, slots=True)
class Assert:
    """The check is violated unless the literal holds."""

    literal: Literal
    check: Check


@dataclass(frozen=True, slots=True)
class Skip:
    """Nothing; `note` is shown in listings. `unfollowed` says why an engine for which objects are fields cannot follow
    the memory that comes next, although a run does. `summarize` names a variable: an engine that summarises
    objects may do so here with all that it reaches. `unmodelled` says why memory may have changed here in a way that no
    command expresses: a run that passes is approximate, and nothing behind it is proved. A `request` is made where the
    program is executed with its real input and output; no other program has one."""

    note: str = ""
    summarize: str = ""
    unmodelled: str = ""
    unfollowed: str = ""
    request: Request | None = None


@dataclass(frozen=True, slots=True)
class Padding(Skip):
    """The bytes between the scalars of base, which other commands copy or fill: so many from `source`, or each is
    `value`. Nothing, for an engine."""

    base: str = ""
    source: str = ""
    value: Expr | None = None
    size: Expr | None = None


Command = (
    Assign
    | Load
    | Store
    | Follow
    | Shift
    | Reinterpret
    | New
    | Free
    | Leave
    | AnyPointer
    | External
    | Compute
    | LoadData
    | StoreData
    | Havoc
    | Scramble
    | Distance
    | Length
    | LoadCell
    | StoreCell
    | LoadDataCell
    | StoreDataCell
    | Copy
    | Fill
    | Protect
    | Inspect
    | Assume
    | Assert
    | Skip
)

Dereference = Load | Store | LoadData | StoreData | Scramble | LoadCell | StoreCell | LoadDataCell | StoreDataCell
