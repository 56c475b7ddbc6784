"""Which globals keep their initial values: variables that the text of a program may change, assigned or handed out by
address, and tables of functions.

    static int limit = 8, used;     void f(void) { used++; }        # `used` is written, `limit` is not
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.c import ast
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.tree_queries import walk
from heapwright.c.types import ArrayType, CType, FunctionType, PointerType, Record, RecordType


def written_variables(linked: LinkedProgram) -> frozenset[int]:
    """The id() of every variable that is written somewhere or whose address is used for more than reading it."""
    written: set[int] = set()
    for function in linked.all_functions:
        if function.body is not None:
            _gather(function.body, written)
    for variable in linked.variables:
        _gather(variable, written)
    return frozenset(written)


def _gather(root: ast.Stmt | ast.VarDecl, written: set[int]) -> None:
    read: set[int] = set()  # arrays that decay to be subscripted at once
    for node in walk(root):
        found: ast.VarDecl | None = None
        match node:
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


def variable_of(lvalue: ast.Expr, *, through_casts: bool = True) -> ast.VarDecl | None:
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
