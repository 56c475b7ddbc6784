"""Functions without a body, and the memory that they may reach.

The environment is *simple* if all that it is handed are pointers to variables that hold only data: then its writes are
ordinary commands, and the variables whose addresses it alone gets stay plain variables. Otherwise everything that has
escaped is followed in the heap (the command `External`). Calls through pointers count, where they may be of a function
without a body: one that the environment brought, or one whose address the program takes.

    extern void hook(int *);    int x, a[4], *p = a + 1; hook(&x); hook(p);     # simple: `x` and `a` are havocked
    extern void push(struct list *, struct node *);         # not simple
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.library_models import is_library_function
from heapwright.c.lower.prepass.callbacks import addressed_functions, function_argument, stored_functions
from heapwright.c.lower.prepass.global_values import pointed_to, takes_address, variable_of, written_variables
from heapwright.c.lower.prepass.handed_pointers import HandedPointers, Variables, lent_types, pointers_made_data
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.object_layout import SMALL_ARRAY
from heapwright.c.lower.prepass.tree_queries import called_name, has_effects, strip_casts, walk
from heapwright.c.types import ArrayType, CType, FloatType, FunctionType, IntegerType, PointerType, RecordType

Externals = Literal["havoc", "pure", "refuse"]
InputHeaps = Literal["separate", "any"]
OWN = ("__VERIFIER_", "__hw_", "hw_", "__builtin_", "__assert", "reach_error")
MOST_SCALARS = 256  # of a variable that ordinary commands havoc


@dataclass(frozen=True)
class Environment:
    """`plain`: id() of variables whose addresses only the environment gets, in a simple one; `visible`: globals that
    other files may write; `exposed`: other variables whose addresses calls hand over; `callbacks`: functions that calls
    hand over by name; `stored`: functions that they may hand over in memory; `calls_back`: pointers to functions may
    come from the environment; `hidden`: id() of conversions that make data of pointers, which it may find there."""

    externals: Externals
    simple: bool = True
    plain: frozenset[int] = frozenset()
    visible: tuple[VarDecl, ...] = ()
    exposed: tuple[VarDecl, ...] = ()
    callbacks: tuple[FunctionDecl, ...] = ()
    stored: tuple[FunctionDecl, ...] = ()
    calls_back: bool = False
    inputs: InputHeaps = "separate"  # from globals and from one another
    pointers: HandedPointers | None = None  # in a simple one: where arguments lead
    hidden: frozenset[int] = frozenset()

    @property
    def calls_functions(self) -> bool:
        """Whether it was handed functions of the program."""
        return bool(self.callbacks or self.stored)


@dataclass(frozen=True)
class ExternalCall:
    """A call of a function without a body, and its arguments through which it may write."""

    call: ast.Call
    caller: FunctionDecl
    handed: tuple[ast.Expr, ...]
    lent: tuple[ast.Expr, ...] = ()  # pointers to const, behind which it may write
    indirect: bool = False  # the arguments are evaluated before it is known which function is called


def survey(linked: LinkedProgram, externals: Externals, *, any_heap: bool) -> Environment:
    """Pointers and functions that calls pass on. `any_heap`: the program starts with inputs, which may be functions."""
    found = _survey(linked, externals, _external_calls(linked, returning=False), any_heap=any_heap)
    if found.calls_functions:  # functions that do not return call back, too
        return found
    return _survey(linked, externals, _external_calls(linked, returning=True), any_heap=any_heap)


def _survey(
    linked: LinkedProgram, externals: Externals, found_calls: Iterable[ExternalCall], *, any_heap: bool
) -> Environment:
    calls = list(found_calls)
    pointers = any(holds_pointers(linked, one.call.type) for one in calls)
    if externals in ("pure", "refuse"):
        return Environment(externals, calls_back=any_heap or pointers)
    leads = HandedPointers(linked, any_heap=any_heap)
    found = _handed_over(linked, calls, externals, leads)
    called = [one for one in addressed_functions(linked) if is_external(one.name, one)]
    if any_heap or pointers or not found.simple or called:  # pointers to functions may be of the environment
        found = _handed_over(linked, [*calls, *_indirect_calls(linked, called)], externals, leads)
        return replace(found, calls_back=True)
    return found


def _handed_over(
    linked: LinkedProgram, calls: list[ExternalCall], externals: Externals, leads: HandedPointers
) -> Environment:
    if not calls:
        return Environment(externals)
    visible = tuple({id(one): one for one in _visible(linked)}.values())
    shown = {id(one) for one in visible}
    exposed: dict[int, VarDecl] = {}
    functions: dict[int, FunctionDecl] = {}
    hidden = pointers_made_data(linked)
    simple = not hidden and all(_plain_data(linked, one.type) for one in visible)
    for one in calls:
        simple = simple and not one.lent
        for argument in one.handed:
            function = function_argument(linked, one.caller, argument)
            if function is not None:
                functions.setdefault(id(function), function)
                simple = simple and not any(holds_pointers(linked, type) for type in function.type.parameters)
                continue
            variables = None if one.indirect else leads.variables(argument)
            simple = simple and variables is not None
            simple = simple and not any(holds_pointers(linked, one.type) for one in (variables or {}).values())
            for variable in writable(variables or {}):
                simple = simple and _plain_data(linked, variable.type)
                if id(variable) not in shown:
                    exposed.setdefault(id(variable), variable)
    arguments = [(one.caller, argument) for one in calls for argument in _shown(linked, one.call)]
    stored = tuple(stored_functions(linked, arguments, _shared(linked)))
    simple = simple and not stored
    returning = [one for one in calls if holds_pointers(linked, one.call.type) and not _is_fresh(linked, one)]
    if returning and (exposed or visible or len(calls) > 1 or not _is_single(returning[0].caller)):
        simple = False  # the pointers may lead to those variables, or to memory that later calls write
    plain = _plain(linked, calls, exposed)
    if not all(key in plain or leads.is_single(decl) for key, decl in exposed.items()):
        simple = False
    if not simple:
        plain = _plain(linked, calls, {})
    found = tuple(functions.values())
    known = leads if simple else None
    shown_too = tuple(exposed.values())
    return Environment(externals, simple, plain, visible, shown_too, found, stored, pointers=known, hidden=hidden)


def _is_fresh(linked: LinkedProgram, one: ExternalCall) -> bool:
    """Whether the result is new memory, as the attribute `malloc` says."""
    name = called_name(one.call)
    function = linked.find(name, one.caller) if name else None
    return function is not None and function.attributes.malloc


def _is_single(caller: FunctionDecl) -> bool:
    """Whether a call in a function is made at most once: in main, and not in a loop."""
    nodes = walk(caller.body) if caller.body is not None else ()
    repeats = ast.While | ast.DoWhile | ast.For | ast.Goto | ast.ComputedGoto
    return caller.name == "main" and not any(isinstance(node, repeats) for node in nodes)


def writable(variables: Variables) -> list[VarDecl]:
    """The variables among some that may be written: not defined `const`."""
    return [one for one in variables.values() if not one.const]


def is_external(name: str, target: FunctionDecl | None) -> bool:
    """Whether a call by name is of a function about which only its declaration is known."""
    if not name or (target is not None and target.body is not None):
        return False
    return not name.startswith(OWN) and not is_library_function(name, target)


def is_pure(linked: LinkedProgram, function: FunctionDecl) -> bool:
    """Whether a function writes nothing and gives nothing away."""
    return function.attributes.pure and not holds_pointers(linked, function.type.result)


def addressed_variable(argument: ast.Expr) -> VarDecl | None:
    """The variable whose address, or the address of a part of which, an argument is."""
    while isinstance(argument, ast.Cast) and not argument.decay and isinstance(argument.type, PointerType):
        argument = argument.operand
    if has_effects(argument) or not isinstance(argument, ast.Cast | ast.AddressOf) or not takes_address(argument):
        return None
    return _root(argument.operand)


def handed(linked: LinkedProgram, call: ast.Call, type: FunctionType | None) -> Iterator[ast.Expr]:
    """The arguments of an external call through which it may write."""
    lends = type.lends if type is not None else frozenset()
    for position, argument in enumerate(call.arguments):
        if is_constant(argument) or position in lends:
            continue
        if holds_pointers(linked, argument.type):
            yield argument


def lent(linked: LinkedProgram, call: ast.Call, type: FunctionType | None) -> Iterator[ast.Expr]:
    """The arguments of an external call that are pointers to const, and lead on to memory that it may write:
    `const T *` protects objects of type T, not what else their members lead to."""
    if type is None:
        return
    for position, (argument, parameter) in enumerate(zip(call.arguments, type.parameters, strict=False)):
        if position not in type.lends or not isinstance(parameter, PointerType) or is_constant(argument):
            continue
        if lent_types(linked, argument, parameter):
            yield argument


def keeps_function(call: ast.Call, written: frozenset[int]) -> bool:
    """Whether the called pointer is one of a global that nothing writes, so that it never comes from elsewhere."""
    callee = call.callee
    while isinstance(callee, ast.Cast | ast.Deref | ast.AddressOf) and not isinstance(callee.operand.type, ArrayType):
        callee = callee.operand
    variable = _root(callee)
    if variable is None or variable.storage not in ("global", "static"):
        return False
    private = variable.file_static or variable.storage == "static"
    return variable.const or (private and id(variable) not in written)


def function_type(call: ast.Call) -> FunctionType | None:
    """The type of the called function, as its declaration or pointer says."""
    type = call.callee.type
    while isinstance(type, PointerType):
        type = type.to
    return type if isinstance(type, FunctionType) else None


def is_constant(argument: ast.Expr) -> bool:
    """Whether an argument is a number or a string, through which nothing is handed over."""
    bare = strip_casts(argument)
    if isinstance(bare, ast.Cast) and bare.decay:
        bare = bare.operand
    return isinstance(bare, ast.IntLiteral | ast.StringLiteral)


# --- calls and variables ---------------------------------------------------------------------------------------------


def _external_calls(linked: LinkedProgram, *, returning: bool) -> Iterator[ExternalCall]:
    """Calls that may change or call something; with `returning`, only those that may return."""
    for caller, node in _calls(linked):
        name = called_name(node)
        target = linked.find(name, caller) if name else None
        harmless = target is not None and (is_pure(linked, target) or (returning and target.no_return))
        if is_external(name, target) and not harmless:
            yield _external_call(linked, node, caller)


def _indirect_calls(linked: LinkedProgram, targets: list[FunctionDecl]) -> Iterator[ExternalCall]:
    """Calls through pointers that may be of the environment, or be one of the `targets`, which have no body."""
    written = written_variables(linked)
    for caller, node in _calls(linked, models=bool(targets)):  # `qsort` calls what it is handed
        if called_name(node) or linked.called(node, caller) is not None:
            continue
        if targets or not keeps_function(node, written):
            yield _external_call(linked, node, caller, targets, indirect=True)


def _external_call(
    linked: LinkedProgram,
    node: ast.Call,
    caller: FunctionDecl,
    targets: Iterable[FunctionDecl] = (),
    *,
    indirect: bool = False,
) -> ExternalCall:
    type = function_type(node)
    if type is not None:  # a pointer may have been converted to a type with more `const`
        type = replace(type, lends=type.lends.intersection(*(one.type.lends for one in targets if _fits(one, node))))
    return ExternalCall(node, caller, tuple(handed(linked, node, type)), tuple(lent(linked, node, type)), indirect)


def _fits(function: FunctionDecl, call: ast.Call) -> bool:
    return len(function.parameters) <= len(call.arguments)


def _shown(linked: LinkedProgram, call: ast.Call) -> Iterator[ast.Expr]:
    """The arguments of a call in which functions may be found, written or not."""
    return (one for one in call.arguments if not is_constant(one) and holds_pointers(linked, one.type))


def _calls(linked: LinkedProgram, *, models: bool = False) -> Iterator[tuple[FunctionDecl, ast.Call]]:
    for caller in linked.all_functions:
        if caller.body is not None and (models or not linked.is_model(caller)):
            yield from ((caller, node) for node in walk(caller.body) if isinstance(node, ast.Call))


def _visible(linked: LinkedProgram) -> Iterator[VarDecl]:
    """Globals that the program's files use and other files may write, and what others that they see lead to."""
    bodies = [function.body for function in linked.all_functions if function.body is not None]
    used = {id(linked.resolve(one.decl)) for body in bodies for one in walk(body) if isinstance(one, ast.VarRef)}
    for decl in _shared(linked):
        if id(decl) in used and not decl.const:
            yield decl
        else:
            yield from pointed_to(linked, decl)


def _shared(linked: LinkedProgram) -> list[VarDecl]:
    """The globals of the program's files that other files see."""
    return [one for one in linked.globals.values() if one.span.file in linked.sources and not linked.is_model(one)]


def _plain(linked: LinkedProgram, calls: list[ExternalCall], exposed: dict[int, VarDecl]) -> frozenset[int]:
    """The scalars, structs and small arrays whose addresses only calls get that ordinary commands describe: exposed
    ones, and those that are only lent."""
    named = [one for one in calls if not one.indirect]
    passed = {id(node) for one in named for argument in one.call.arguments for node in _address(argument)}
    handed_over = {id(node) for one in named for argument in (*one.handed, *one.lent) for node in _address(argument)}
    taken = list(_taken(linked))
    while True:
        found = {id(decl): decl for _, decl in taken if decl is not None}
        elsewhere = {
            id(decl)
            for node, decl in taken
            if id(node) not in passed or (id(node) in handed_over and id(decl) not in exposed)
        }
        members = frozenset(
            node.operand.record for node, _ in taken if isinstance(node.operand, ast.Member) and id(node) not in passed
        )
        plain = frozenset(
            key
            for key, decl in found.items()
            if key not in elsewhere and (key not in exposed or _dissolves(linked, decl.type, members))
        )
        boxed = {id(node) for node, decl in taken if id(decl) not in plain}
        if passed.isdisjoint(boxed):
            return plain
        passed -= boxed


def _taken(linked: LinkedProgram) -> Iterator[tuple[ast.AddressOf | ast.Cast, VarDecl | None]]:
    """The expressions that take the address of an lvalue, and the variable that it is a part of."""
    for root in _roots(linked):
        read: set[int] = set()  # arrays that decay to be subscripted at once
        for node in walk(root):
            if isinstance(node, ast.Subscript):
                read.add(id(node.base))
            elif takes_address(node) and id(node) not in read:
                variable = _root(node.operand)
                yield node, None if variable is None else linked.resolve(variable)


def _roots(linked: LinkedProgram) -> list[ast.Block | VarDecl]:
    """All code of a program."""
    return [*(one.body for one in linked.all_functions if one.body is not None), *linked.variables]


def _dissolves(linked: LinkedProgram, ctype: CType, addressed: frozenset[str]) -> bool:
    """Whether a variable of a type is plain variables unless its address is taken."""
    match ctype:
        case RecordType(key):
            members = linked.records[key].fields
            return key not in addressed and all(_dissolves(linked, one.type, addressed) for one in members)
        case ArrayType(of, count):
            return count is not None and count <= SMALL_ARRAY and _dissolves(linked, of, addressed)
    return isinstance(ctype, IntegerType | FloatType)


def _address(argument: ast.Expr) -> Iterator[ast.Expr]:
    """The node that takes the address of a variable or of a part of it, if an argument is just that."""
    if addressed_variable(argument) is not None:
        while isinstance(argument, ast.Cast) and not argument.decay:
            argument = argument.operand
        yield argument


def _root(lvalue: ast.Expr) -> VarDecl | None:
    """The variable that an lvalue is a part of, without a cast."""
    return variable_of(lvalue, through_casts=False)


# --- types -----------------------------------------------------------------------------------------------------------


def holds_pointers(linked: LinkedProgram, ctype: CType) -> bool:
    """Whether a value of a type is a pointer or has one in it."""
    if isinstance(ctype, RecordType):
        return any(holds_pointers(linked, member.type) for member in linked.records[ctype.key].fields)
    if isinstance(ctype, ArrayType):
        return holds_pointers(linked, ctype.of)
    return isinstance(ctype, PointerType | FunctionType)


def _plain_data(linked: LinkedProgram, ctype: CType) -> bool:
    count = _scalars(linked, ctype)
    return count is not None and count <= MOST_SCALARS


def _scalars(linked: LinkedProgram, ctype: CType) -> int | None:
    """The number of scalars of a type that holds only data."""
    match ctype:
        case IntegerType() | FloatType():
            return 1
        case ArrayType(of, count):
            inner = _scalars(linked, of)
            return None if inner is None or count is None else inner * count
        case RecordType(key):
            record = linked.records[key]
            members = [_scalars(linked, member.type) for member in record.fields]
            if record.union or not record.complete or None in members:
                return None
            return sum(one for one in members if one is not None)
    return None
