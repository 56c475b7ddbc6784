"""Globals that keep their initial values: the variables that the text of a program may change (assigned, or passed by
address), tables of functions, and the variables that initial values lead to.

    static int limit = 8, used;     void f(void) { used++; }        # `used` is written, `limit` is not
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeGuard

from heapwright.c import ast
from heapwright.c.ast import VarDecl
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.tree_queries import walk
from heapwright.c.types import ArrayType, CType, FunctionType, PointerType, Record, RecordType


def written_variables(linked: LinkedProgram) -> frozenset[int]:
    """The id() of every variable that is written somewhere or whose address is used for more than reading it.

    What is not supported, such as inline assembly, may write every variable that it can name."""
    written: set[int] = set()
    unknown: set[int | None] = set()  # units with code that is not supported
    for function in linked.all_functions:
        if function.body is not None and _gather(function.body, written):
            unknown.add(linked.unit_of.get(id(function)))
            written |= {id(node) for node in walk(function.body) if isinstance(node, VarDecl)}
    for variable in linked.variables:
        if _gather(variable, written):
            unknown.add(linked.unit_of.get(id(variable)))
    return frozenset(written | {id(one) for one in linked.variables if linked.unit_of.get(id(one)) in unknown})


def _gather(root: ast.Stmt | VarDecl, written: set[int]) -> bool:
    """Adds what is written; whether there is something that is not supported."""
    read: set[int] = set()  # arrays that decay to be subscripted at once
    unsupported = False
    for node in walk(root):
        found: VarDecl | None = None
        match node:
            case ast.UnsupportedExpr() | ast.UnsupportedStmt():
                unsupported = True
            case ast.Subscript(base=ast.Cast(decay=True) as base):
                read.add(id(base))
            case ast.Assign():
                found = variable_of(node.left)
            case ast.IncDec() | ast.AddressOf():
                found = variable_of(node.operand)
            case ast.Cast(decay=True) if id(node) not in read:
                found = variable_of(node.operand)
        if found is not None:
            written.add(id(found))
    return unsupported


def variable_of(lvalue: ast.Expr, *, through_casts: bool = True) -> VarDecl | None:
    """The variable that an lvalue is, or is a part of."""
    while True:
        match lvalue:
            case ast.VarRef(decl=decl):
                return decl
            case ast.Member(arrow=False) as member:
                lvalue = member.base
            case ast.Subscript(base=ast.Cast(decay=True) as base):
                lvalue = base.operand
            case ast.Cast() if through_casts:
                lvalue = lvalue.operand
            case _:
                return None


def holds_functions(ctype: CType, records: Mapping[str, Record]) -> bool:
    """Whether a value of a type is a pointer to a function or contains one."""
    match ctype:
        case PointerType(to):
            return isinstance(to, FunctionType)
        case ArrayType(of, _):
            return holds_functions(of, records)
        case RecordType(key):
            return any(holds_functions(member.type, records) for member in records[key].fields)
    return False


# --- where initial values lead ----------------------------------------------------------------------------------------


def pointed_to(linked: LinkedProgram, decl: VarDecl) -> Iterator[VarDecl]:
    """The variables that can be written and that the initial value of a variable leads to."""
    waiting, seen, walked = [decl], {id(decl)}, set[int]()
    while waiting:
        top = waiting.pop()
        if id(top) in walked:
            continue
        walked.add(id(top))
        values = _initial_values(linked, top.initializer, top.lends) if top.initializer is not None else ()
        for value, lends in values:
            for node in walk(value):
                variable = variable_of(node.operand, through_casts=False) if takes_address(node) else None
                found = linked.resolve(variable) if variable is not None else None
                if found is not None and id(found) not in seen:
                    waiting.append(found)
                    if not found.const and not lends:
                        seen.add(id(found))
                        yield found


def _initial_values(linked: LinkedProgram, initializer: ast.Expr, lends: bool) -> Iterator[tuple[ast.Expr, bool]]:
    """The scalars of an initialiser, and whether each is for a pointer to const."""
    pending = [(initializer, lends)]
    while pending:
        top, lends = pending.pop()
        if not isinstance(top, ast.InitList):
            yield top, lends
            continue
        for path, value in top.items:
            type, inner = top.type, lends
            for step in path:
                if isinstance(type, ArrayType):
                    type = type.of
                elif isinstance(type, RecordType):
                    record = linked.records[type.key]
                    member = next((one for one in record.fields if one.name == step.name), None)
                    inner = member is not None and member.lends and not record.union
                    type = member.type if member is not None else type
            pending.append((value, inner))


def takes_address(node: ast.Expr | ast.Stmt | VarDecl) -> TypeGuard[ast.AddressOf | ast.Cast]:
    return isinstance(node, ast.AddressOf) or (isinstance(node, ast.Cast) and node.decay)
