"""Where pointers to the strings of `argv` may be, and whether those strings keep their ends.

    const char *name = argv[1]; puts(name);    # `name` leads to them; they are only read
    options.name = argv[1];                    # stored in memory: what happens to the string is no longer known

Flow-insensitive: variables, parameters and results lead to the strings if something that is assigned to them does
(least fixpoint). The strings are *confined* if each use of such an expression is one that is known to change nothing
(`_is_harmless`), and no external function runs, since it may write memory of the environment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.prepass.environment import function_type, is_external
from heapwright.c.lower.prepass.global_values import variable_of
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.tree_queries import Node, called_name, children, strip_casts, walk
from heapwright.c.types import CType, FunctionType, IntegerType, PointerType, VoidType

_STRINGS = ("strcpy", "strncpy", "strcat", "strncat", "stpcpy", "stpncpy", "strdup", "strndup")
_OTHERS = ("memcpy", "memmove", "mempcpy", "fopen", "freopen", "popen", "opendir", "getenv", "setlocale", "realpath")
COPIES = frozenset((*_STRINGS, *_OTHERS))  # what they return does not lead to their pointers to const
PRINTS = frozenset(("printf", "fprintf", "dprintf", "sprintf", "snprintf", "asprintf", "syslog", "err", "errx", "warn"))
BLIND = frozenset(("printf", "fprintf", "dprintf", "puts", "perror", "fputs", "fopen"))  # unless a result is used
AGAIN = frozenset(("setjmp", "_setjmp", "sigsetjmp"))
_COUNT = re.compile(rb"%[^%a-zA-Z]*[hljztLqwfI0-9]*n")  # a conversion that writes how much was printed
_REPEATS = ast.While | ast.DoWhile | ast.For | ast.Goto | ast.ComputedGoto
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))


def depth(ctype: CType) -> int:
    """2 for `char **`, 1 for `char *`, else 0."""
    if not isinstance(ctype, PointerType):
        return 0
    if is_character(ctype.to):
        return 1
    return 2 if isinstance(ctype.to, PointerType) and is_character(ctype.to.to) else 0


def is_character(ctype: CType) -> bool:
    return isinstance(ctype, IntegerType) and ctype.int.bits == 8


class ArgumentAliases:
    def __init__(
        self,
        linked: LinkedProgram,
        functions: Sequence[FunctionDecl],
        arguments: frozenset[int],
        addressed: Sequence[FunctionDecl],
    ) -> None:
        """`functions` are those of the program, `arguments` the parameters (id()) that are `argv`; `addressed` may be
        called otherwise than by name."""
        self.linked = linked
        self.addressed = frozenset(map(id, addressed))
        self.nodes = [(function, list(walk(function.body))) for function in functions if function.body is not None]
        self.own = frozenset(map(id, functions))
        self.arguments = arguments
        self.tracked = self._tracked()
        self.leading = set(arguments)  # variables and functions, by id()
        self.known: dict[int, bool] = {}  # by id() of an expression
        self._solve()

    def confined(self, holds: Callable[[ast.Expr], bool]) -> bool:
        """Whether all strings keep their ends; `holds` tells whether an expression is one of them from its start, a
        literal or null."""
        if not self.arguments <= self.tracked or self._runs_unknown_code():
            return False
        for function, nodes in self.nodes:
            for node in nodes:
                if isinstance(node, ast.Assign | ast.IncDec) and not self._keeps_ends(node, holds):
                    return False
                for child in children(node):
                    if self.known.get(id(child), False) and not self._is_harmless(node, child, function, holds):
                        return False
        return True

    # --- variables and functions that lead to strings ----------------------------------------------------------------

    def _tracked(self) -> frozenset[int]:
        """Variables whose values are all seen: locals and parameters whose address stays here."""
        taken: set[int] = set()
        found: set[int] = set()
        for function, nodes in self.nodes:
            if id(function) not in self.addressed:
                found |= {id(one) for one in function.parameters}
            ends = {id(one) for node in nodes if isinstance(node, ast.Call) for one in self._ends(node, function)}
            for node in nodes:
                if isinstance(node, VarDecl) and node.storage == "local":
                    found.add(id(node))
                elif isinstance(node, ast.AddressOf) and id(node) not in ends:
                    operand = strip_casts(node.operand)
                    taken |= {id(operand.decl)} if isinstance(operand, ast.VarRef) else set()
        return frozenset(found - taken)

    def _solve(self) -> None:
        before = -1
        while before != len(self.leading):
            before = len(self.leading)
            for function, nodes in self.nodes:
                for node in reversed(nodes):  # what is below comes first
                    if isinstance(node, _EXPRESSIONS):
                        self.known[id(node)] = self._leads(node, function)
                    self._flow(node, function)

    def _flow(self, node: Node, function: FunctionDecl) -> None:
        match node:
            case VarDecl(initializer=value) if value is not None and self._is_leading(value):
                self.leading.add(id(node))
            case ast.Assign(left=ast.VarRef(decl=decl), right=right) if self._is_leading(right):
                self.leading.add(id(decl))
            case ast.Return(value=value) if value is not None and self._is_leading(value):
                self.leading.add(id(function))
            case ast.Call():
                target = self._own_function(node, function)
                given = [self._is_leading(argument) for argument in node.arguments]
                for parameter, leads in zip(target.parameters if target is not None else (), given, strict=False):
                    if leads:
                        self.leading.add(id(parameter))
                if any(given):
                    self.leading |= {id(variable_of(end.operand)) for end in self._ends(node, function)}

    def _is_leading(self, expr: ast.Expr) -> bool:
        return self.known.get(id(expr), False)

    def _leads(self, expr: ast.Expr, function: FunctionDecl) -> bool:
        """Whether an expression may be a pointer to a string or into `argv`, given that of its operands."""
        leading = self._is_leading
        match expr:
            case ast.VarRef(decl=decl):
                return id(decl) in self.leading
            case ast.Cast(decay=False, operand=operand) | ast.IncDec(operand=operand):
                return leading(operand)
            case ast.Binary(op="+" | "-", left=left, right=right) if isinstance(expr.type, PointerType):
                return leading(left) or leading(right)
            case ast.Conditional(condition=condition, then=then, other=other):
                return leading(condition if then is None else then) or leading(other)
            case ast.Comma(right=right):
                return leading(right)
            case ast.Assign(left=left, right=right):
                return leading(left) or leading(right)
            case ast.Subscript(base=operand) | ast.Deref(operand=operand):
                return isinstance(expr.type, PointerType) and leading(operand)
            case ast.AddressOf(operand=ast.Subscript(base=base)):
                return leading(base)
            case ast.AddressOf(operand=ast.Deref(operand=operand)) | ast.AddressOf(operand=operand):
                return leading(operand)
            case ast.StatementExpr(body=body):
                last = body.statements[-1] if body.statements else None
                return isinstance(last, ast.ExprStmt) and leading(last.expr)
            case ast.Call():
                target = self._own_function(expr, function)
                if target is not None:
                    return id(target) in self.leading
                copied = called_name(expr).removeprefix("__builtin_") in COPIES
                return isinstance(expr.type, PointerType) and not copied and any(map(leading, expr.arguments))
        return False

    def _own_function(self, call: ast.Call, function: FunctionDecl) -> FunctionDecl | None:
        target = self.linked.called(call, function)
        return target if target is not None and id(target) in self.own else None

    # --- uses --------------------------------------------------------------------------------------------------------

    def _keeps_ends(self, node: ast.Assign | ast.IncDec, holds: Callable[[ast.Expr], bool]) -> bool:
        """Whether a write changes no string, and stores only strings in `argv`."""
        target = node.left if isinstance(node, ast.Assign) else node.operand
        match target:
            case ast.Subscript(base=base) | ast.Deref(operand=base) if self._is_leading(base):
                stored = isinstance(node, ast.Assign) and not node.op and depth(target.type) == 1
                return stored and isinstance(node, ast.Assign) and holds(node.right)
        return True

    def _is_harmless(self, node: Node, child: Node, function: FunctionDecl, holds: Callable[[ast.Expr], bool]) -> bool:
        """Whether a pointer to a string, which is a part of a statement or expression, changes nothing there, or goes
        to where it is followed."""
        assert isinstance(child, _EXPRESSIONS)
        match node:
            case VarDecl():
                return self._follows(node, child)
            case ast.Cast(decay=False):
                to, of = depth(node.type), depth(child.type)
                forgotten = isinstance(node.type, VoidType) or (isinstance(node.type, IntegerType) and _is_bool(node))
                return forgotten or (to == of > 0) or (to + of <= 1 and _is_bytes(node.type) and _is_bytes(child.type))
            case ast.Assign(left=ast.VarRef(decl=decl) as left):
                return child is left or self._follows(decl, child)
            case ast.Assign(left=left):
                return child is left or self._is_leading(left)  # a string of `argv` is stored in `argv`
            case ast.IncDec(operand=operand):
                return isinstance(operand, ast.VarRef)
            case ast.AddressOf():
                return isinstance(child, ast.Subscript | ast.Deref | ast.VarRef)  # a variable: its address is not taken
            case ast.Subscript(base=base):
                return child is base
            case ast.Binary(op=op):
                return op in _COMPARISONS or op in ("+", "-")
            case ast.Return():
                return id(function) not in self.addressed
            case ast.Call():
                return self._is_followed(node, child, function)
            case ast.ExprStmt() | ast.Deref() | ast.Logical() | ast.Conditional() | ast.Comma():
                return True
            case ast.Unary(op=op):
                return op == "!"
            case ast.If() | ast.While() | ast.DoWhile() | ast.For():
                return True
        return False

    def _follows(self, variable: VarDecl, value: ast.Expr) -> bool:
        return id(variable) in self.tracked and depth(variable.type) == depth(value.type) > 0

    def _is_followed(self, call: ast.Call, argument: ast.Expr, function: FunctionDecl) -> bool:
        """Whether a function gets a string that it only reads, or is followed itself."""
        position = next((n for n, one in enumerate(call.arguments) if one is argument), -1)
        target = self.linked.called(call, function)
        if position < 0 or target is None:
            return False
        if id(target) in self.own:
            named = position < len(target.parameters) and id(target) not in self.addressed
            return named and self._follows(target.parameters[position], argument)
        type = function_type(call)
        if type is None or not (target.body is None or self.linked.is_model(target)):
            return False
        ends = {id(one) for one in self._ends(call, function)}
        outputs = [one for one in call.arguments if depth(one.type) == 2 and not _is_null(one)]
        if any(id(one) not in ends for one in outputs) or any(map(_leads_to_function, type.parameters)):
            return False
        name = called_name(call).removeprefix("__builtin_")
        printed = position >= len(type.parameters) > 0 and type.variadic and name in PRINTS
        printed = printed and _writes_nothing(call.arguments[len(type.parameters) - 1])
        return id(argument) in ends or position in type.lends or printed

    def _ends(self, call: ast.Call, function: FunctionDecl) -> Iterator[ast.AddressOf]:
        """The argument `&end` of a function of the library that says where it stopped to read."""
        if called_name(call).startswith("strto") and self._own_function(call, function) is None:
            for argument in call.arguments[1:2]:
                if isinstance(argument, ast.AddressOf) and isinstance(argument.operand, ast.VarRef):
                    yield argument

    # --- looks at what strings contain -------------------------------------------------------------------------------

    def alone(self, entry: FunctionDecl) -> frozenset[int]:
        """Calls of the library (id()) that look at strings which nothing else looks at, once in a run."""
        everything = [(function, node) for function, nodes in self.nodes for node in nodes]
        calls = [(function, node) for function, node in everything if isinstance(node, ast.Call)]
        again = any(called_name(call) in AGAIN or self.linked.called(call, user) is entry for user, call in calls)
        own = next((nodes for function, nodes in self.nodes if function is entry), [])
        if again or any(isinstance(node, _REPEATS) for node in own):
            return frozenset()
        dropped = {id(strip_casts(node.expr)) for _, node in everything if isinstance(node, ast.ExprStmt)}
        looks = [(node, set(self._strings(node))) for _, node in everything if self._looks(node, dropped)]
        fixed = not any(self._moves(node) for _, node in everything)
        found: set[int] = set()
        for node in own:
            strings = set(self._strings(node)) if isinstance(node, ast.Call) else set()
            others = [one for look, one in looks if look is not node]
            known = fixed and None not in strings and not any(None in one or one & strings for one in others)
            if isinstance(node, ast.Call) and strings and (known or not others):
                found.add(id(node))
        return frozenset(found)

    def _looks(self, node: Node, dropped: Container[int]) -> bool:
        """Whether what is done depends on the characters of a string; the results of `dropped` are not used."""
        match node:
            case ast.Deref(operand=operand) | ast.Subscript(base=operand):
                return is_character(node.type) and self._is_leading(operand)
            case ast.Call():
                blind = called_name(node) in BLIND and (id(node) in dropped or called_name(node) == "fopen")
                return not blind and any(map(self._is_leading, node.arguments))
        return False

    def _strings(self, node: Node) -> Iterator[int | None]:
        """The indices of the strings that a node looks at; None for one of which that is not known."""
        operands: Sequence[ast.Expr] = ()
        match node:
            case ast.Deref(operand=operand) | ast.Subscript(base=operand):
                operands = (operand,)
            case ast.Call():
                operands = node.arguments
        for operand in filter(self._is_leading, operands):
            match strip_casts(operand):
                case ast.Subscript(base=ast.VarRef(decl=decl), index=index) if id(decl) in self.arguments:
                    bare = strip_casts(index)
                    yield bare.value if isinstance(bare, ast.IntLiteral) else None
                case _:
                    yield None

    def _moves(self, node: Node) -> bool:
        """Whether `argv` is moved, or a string is stored in it."""
        if not isinstance(node, ast.Assign | ast.IncDec):
            return False
        target = node.left if isinstance(node, ast.Assign) else node.operand
        match target:
            case ast.VarRef(decl=decl):
                return depth(target.type) == 2 and id(decl) in self.leading
            case ast.Subscript(base=base) | ast.Deref(operand=base):
                return self._is_leading(base)
        return False

    def _runs_unknown_code(self) -> bool:
        foreign = any(one.storage == "extern" for one in self.linked.variables)  # it may hold functions
        for function, nodes in self.nodes:
            for node in nodes:
                if isinstance(node, ast.FunctionRef):
                    target = self.linked.find(node.name, function)
                    known = target is not None and (target.no_return or target.attributes.pure)
                    if is_external(node.name, target) and not known:
                        return True
                elif foreign and isinstance(node, ast.Call) and self.linked.called(node, function) is None:
                    return True
        return False


# --- parts of the tree -----------------------------------------------------------------------------------------------

_EXPRESSIONS = ast.Expr.__args__


def _leads_to_function(ctype: CType) -> bool:
    return isinstance(ctype, FunctionType) or (isinstance(ctype, PointerType) and _leads_to_function(ctype.to))


def _writes_nothing(format: ast.Expr) -> bool:
    """Whether a format is known, and no conversion in it writes to its argument."""
    match strip_casts(format):
        case ast.Cast(operand=ast.StringLiteral(bytes=text)):
            return _COUNT.search(text) is None
        case ast.Conditional(then=then, other=other) if then is not None:
            return _writes_nothing(then) and _writes_nothing(other)
    return False


def _is_null(expr: ast.Expr) -> bool:
    bare = strip_casts(expr)
    return isinstance(bare, ast.IntLiteral) and bare.value == 0


def _is_bytes(ctype: CType) -> bool:
    return isinstance(ctype, PointerType) and (is_character(ctype.to) or isinstance(ctype.to, VoidType))


def _is_bool(cast: ast.Cast) -> bool:
    return isinstance(cast.type, IntegerType) and cast.type.boolean
