"""Targets of passed pointers: the variables that the pointers which a program passes on may lead to, by the text of its
assignments.

    int x, a[4]; char *s = "a"; int *p = &x; p = a + 1;     # `p` leads to `x` or `a`, `s` to no variable

Pointers that come from elsewhere (results of calls, memory, inputs, variables whose addresses are taken) are not
followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.prepass.global_values import variable_of
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.tree_queries import called_name, each_once, strip_casts, walk
from heapwright.c.types import ArrayType, CType, FunctionType, IntegerType, PointerType, RecordType, VoidType

Variables = dict[int, VarDecl]  # by id()


_COMPARISONS = {"==", "!=", "<", ">", "<=", ">=", "%"}  # and the remainder: an address is not found in the result
_COPIES = {"memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"}


def pointers_made_data(linked: LinkedProgram) -> frozenset[int]:
    """The id() of conversions of pointers to integers that can hold them, and of calls that copy them to bytes, unless
    the result is compared or made a pointer again at once."""
    found: set[int] = set()
    for function in linked.all_functions:
        if function.body is None or linked.is_model(function):
            continue
        harmless: set[int] = set()
        for node in walk(function.body):
            match node:
                case ast.Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                    harmless |= {id(below) for side in (left, right) for below in _casts(side)}
                case ast.Binary(op="&", left=left, right=right) if _is_small(right):
                    harmless |= {id(below) for below in _casts(left)}
                case ast.Cast(type=PointerType(), operand=operand):
                    harmless |= {id(below) for below in _casts(operand)}
                case ast.Cast(type=IntegerType() as type, operand=operand) if isinstance(operand.type, PointerType):
                    if id(node) not in harmless and type.int.bits >= linked.pointer_bits and not type.boolean:
                        found.add(id(node))
                case ast.Call() if called_name(node) in _COPIES and len(node.arguments) > 1:
                    into, source = (strip_casts(one).type for one in node.arguments[:2])
                    if _is_bytes(into) and not _is_bytes(source):
                        found.add(id(node))
    return frozenset(found)


def _casts(expr: ast.Expr) -> Iterator[ast.Expr]:
    """An expression and what it converts."""
    yield expr
    while isinstance(expr, ast.Cast):
        expr = expr.operand
        yield expr


def _is_small(expr: ast.Expr) -> bool:
    bare = strip_casts(expr)
    return isinstance(bare, ast.IntLiteral) and 0 <= bare.value < 4096


def _is_bytes(type: CType) -> bool:
    """Whether a type is a pointer to integers."""
    return isinstance(type, PointerType) and isinstance(type.to, IntegerType)


def lent_types(linked: LinkedProgram, argument: ast.Expr, parameter: PointerType) -> list[CType]:
    """The types of objects to which an argument for a pointer to const may lead, if these lead on to memory that may be
    written. `const void *` and pointers to bytes lead to what the program converts to them."""
    bare = strip_casts(argument).type
    types = [parameter.to, *((bare.to,) if isinstance(bare, PointerType) else ())]
    if isinstance(types[-1], VoidType | IntegerType):
        types += linked.conversions.get(types[-1], ())
    return [one for one in dict.fromkeys(types) if leads_beyond(linked, one)]


def leads_beyond(linked: LinkedProgram, ctype: CType) -> bool:
    """Whether an object has pointers to memory of another type that may be written, at once or behind objects that its
    pointers to const lead to."""
    pending = [(ctype, ctype)]
    for top in each_once(pending):
        match top:
            case (ArrayType(of), kept):
                pending.append((of, kept))
            case (PointerType(to), kept) if to != kept and not isinstance(to, FunctionType):
                return True
            case (RecordType(key), kept):
                for member in linked.records[key].fields:
                    if not member.lends:
                        pending.append((member.type, kept))
                    elif isinstance(member.type, PointerType):
                        pending.append((member.type.to, member.type.to))
    return False


class HandedPointers:
    """`any_heap`: the program starts with inputs, which parameters and globals may hold."""

    def __init__(self, linked: LinkedProgram, *, any_heap: bool) -> None:
        self.linked = linked
        self.any_heap = any_heap
        self._values: dict[int, list[ast.Expr]] = {}
        self._open: set[int] = set()  # variables that may hold pointers from elsewhere
        self._moved: set[int] = set()  # variables with which pointer arithmetic is done in place
        self._owner: dict[int, FunctionDecl] = {}
        self._calls: dict[int, set[int]] = {}
        self._addressed: set[int] = set()  # functions that are used as values
        self._indirect: set[int] = set()  # functions whose calls may be of any of those
        for variable in linked.variables:
            self._look_at(variable, None)
        for function in linked.all_functions:
            if function.body is not None:
                self._look_at(function.body, function)

    def variables(self, pointer: ast.Expr) -> Variables | None:
        """The variables that a pointer may lead to; None if it may lead elsewhere, too, or into the middle of one of
        several."""
        found: Variables = {}
        waiting, seen, inside = [pointer], set[int](), False
        while waiting:
            top = waiting.pop()
            values = self._step(top, found)
            inside = inside or _goes_inside(top) or (isinstance(top, ast.VarRef) and id(top.decl) in self._moved)
            if values is None:
                return None
            waiting += [one for one in values if id(one) not in seen]
            seen |= {id(one) for one in values}
        return None if inside and len(found) > 1 else found

    def is_single(self, decl: VarDecl) -> bool:
        """Whether there is one such variable at a time: its function is not entered again before it ends."""
        if decl.storage in ("global", "static", "extern"):
            return True
        function = self._owner.get(id(decl))
        return decl.storage == "local" and function is not None and id(function) not in self._below(id(function))

    # --- values ------------------------------------------------------------------------------------------------------

    def _step(self, expr: ast.Expr, found: Variables) -> list[ast.Expr] | None:
        """The expressions whose values an expression may have; variables whose addresses it takes are added."""
        match expr:
            case ast.Cast(decay=True, operand=ast.StringLiteral()) | ast.StringLiteral() | ast.IntLiteral():
                return []
            case ast.AddressOf(operand=operand) | ast.Cast(decay=True, operand=operand):
                variable = variable_of(operand, through_casts=False)
                if variable is not None:
                    found[id(self.linked.resolve(variable))] = self.linked.resolve(variable)
                return None if variable is None else []
            case ast.Cast(operand=operand):
                return [operand] if isinstance(operand.type, PointerType) or _is_zero(operand) else None
            case ast.VarRef(decl=decl):
                return self._held(decl)
            case ast.Conditional(then=then, other=other):
                return [other] if then is None else [then, other]
            case ast.Binary(op="+" | "-", left=left, right=right):
                return [left if isinstance(left.type, PointerType) else right]
            case ast.Assign(op="", right=right) | ast.Comma(right=right):
                return [right]
            case ast.IncDec(operand=operand) | ast.Assign(left=operand):
                return [operand]
        return None

    def _held(self, decl: VarDecl) -> list[ast.Expr] | None:
        if not isinstance(decl.type, PointerType) or (decl.storage == "local" and id(decl) not in self._owner):
            return None
        private = decl.storage in ("local", "parameter", "static") or decl.file_static
        if not private or id(decl) in self._open or (self.any_heap and decl.storage != "local"):
            return None
        if decl.storage == "parameter" and not self._is_known(decl):
            return None
        return self._values.get(id(decl), [])

    def _is_known(self, parameter: VarDecl) -> bool:
        """Whether all calls of a parameter's function are seen."""
        function = self._owner.get(id(parameter))
        return function is not None and id(function) not in self._addressed and id(parameter) in self._values

    # --- gathering ---------------------------------------------------------------------------------------------------

    def _look_at(self, root: ast.Block | VarDecl, function: FunctionDecl | None) -> None:
        calls = self._calls.setdefault(id(function), set())
        callees: set[int] = set()
        for parameter in function.parameters if function is not None else ():
            self._owner[id(parameter)] = function  # type: ignore[assignment]  # there is none without a function
        for node in walk(root):
            match node:
                case VarDecl():
                    if function is not None:
                        self._owner[id(node)] = function
                    if node.initializer is not None:
                        self._hold(node, node.initializer)
                case ast.Assign(left=ast.VarRef(decl=decl), op="", right=right):
                    self._hold(decl, right)
                case ast.Assign(left=ast.VarRef(decl=decl)) | ast.IncDec(operand=ast.VarRef(decl=decl)):
                    self._moved.add(id(decl))
                case ast.AddressOf(operand=operand):
                    variable = variable_of(operand)
                    self._open |= {id(variable)} if variable is not None else set()
                case ast.Call():
                    if called_name(node):
                        callees |= {id(below) for below in walk(node.callee)}
                    self._pass(node, function, calls)
                case ast.FunctionRef() if id(node) not in callees:
                    self._addressed |= self._targets([self.linked.find(node.name, function or _variable(root))])

    def _pass(self, call: ast.Call, caller: FunctionDecl | None, calls: set[int]) -> None:
        target = self.linked.called(call, caller)
        if target is None or target.body is None:
            self._indirect.add(id(caller))
            return
        calls.add(id(target))
        if len(call.arguments) < len(target.parameters):
            self._open |= {id(one) for one in target.parameters}
        for parameter, argument in zip(target.parameters, call.arguments, strict=False):
            self._hold(parameter, argument)

    def _hold(self, decl: VarDecl, value: ast.Expr) -> None:
        if isinstance(decl.type, PointerType):
            self._values.setdefault(id(decl), []).append(value)

    def _targets(self, functions: Iterable[FunctionDecl | None]) -> set[int]:
        return {id(one) for one in functions if one is not None}

    def _below(self, function: int) -> set[int]:
        """The functions that are called, at once or later, from a function."""
        found: set[int] = set()
        waiting = [function]
        while waiting:
            top = waiting.pop()
            callees = self._calls.get(top, set()) | (self._addressed if top in self._indirect else set())
            waiting += callees - found
            found |= callees
        return found


def _goes_inside(expr: ast.Expr) -> bool:
    """Whether the value of an expression is another address than that of what it is computed from."""
    match expr:
        case ast.AddressOf(operand=operand) | ast.Cast(decay=True, operand=operand):
            return not isinstance(operand, ast.VarRef | ast.StringLiteral)
        case ast.Assign(op=op):
            return bool(op)
    return isinstance(expr, ast.Binary | ast.IncDec)


def _is_zero(expr: ast.Expr) -> bool:
    return isinstance(expr, ast.IntLiteral) and expr.value == 0


def _variable(root: ast.Block | VarDecl) -> VarDecl | None:
    return root if isinstance(root, VarDecl) else None
