"""Functions of the program that the environment may call, because it finds their addresses in what it is handed.

    struct ops { void (*run)(void); } o = { tick };
    start(tick); start(c ? tick : tock); set_ops(&o);       # by name; the other two by their addresses as values

What a pointer leads to is a matter of its type, and of the types that the program converts it from and to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.tree_queries import called_name, each_once, strip_casts, walk
from heapwright.c.types import ArrayType, CType, FunctionType, PointerType, RecordType


def function_argument(linked: LinkedProgram, caller: FunctionDecl, argument: ast.Expr) -> FunctionDecl | None:
    """The function of the program that an argument names."""
    while isinstance(argument, ast.Cast | ast.AddressOf | ast.Deref):
        argument = argument.operand
    target = linked.find(argument.name, caller) if isinstance(argument, ast.FunctionRef) else None
    return target if target is not None and target.body is not None else None


def stored_functions(
    linked: LinkedProgram, handed: Iterable[tuple[FunctionDecl, ast.Expr]], visible: Iterable[VarDecl]
) -> Iterator[FunctionDecl]:
    """The functions whose addresses are used as values, if values that are handed over (each with the function that
    does it), or globals that others see, may lead to them."""
    named: set[int] = set()
    types = [one.type for one in visible]
    for caller, argument in handed:
        if function_argument(linked, caller, argument) is not None:
            named |= {id(below) for below in walk(argument)}
        else:
            types.append(strip_casts(argument).type)
    if _lead_to_functions(linked, types):
        found = {id(one): one for one in addressed_functions(linked, named)}
        yield from (one for one in found.values() if one.body is not None)


def addressed_functions(linked: LinkedProgram, named: Set[int] = frozenset()) -> Iterator[FunctionDecl]:
    """The functions whose addresses are values: not called by name, not `named` as arguments."""
    users: list[FunctionDecl | VarDecl] = [*linked.all_functions, *linked.variables]
    for user in users:
        root = user.body if isinstance(user, FunctionDecl) else user
        if root is None or linked.is_model(user):
            continue
        nodes = list(walk(root))
        calls = [node for node in nodes if isinstance(node, ast.Call) and called_name(node)]
        called = {id(below) for call in calls for below in walk(call.callee)}
        for node in nodes:
            if isinstance(node, ast.FunctionRef) and id(node) not in called and id(node) not in named:
                target = linked.find(node.name, user)
                if target is not None:
                    yield target


def _lead_to_functions(linked: LinkedProgram, types: Iterable[CType]) -> bool:
    """Whether values of some types are pointers to functions, or lead to memory that may hold them."""
    conversions = linked.conversions
    pending = [*types]
    for top in each_once(pending):
        match top:
            case FunctionType():
                return True
            case PointerType(to) | ArrayType(to, _):
                pending += [to, *conversions.get(to, ())]
            case RecordType(key):
                pending += [member.type for member in linked.records[key].fields]
    return False
