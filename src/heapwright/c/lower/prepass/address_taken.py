"""Address-taken analysis of variables, members and arrays, before lowering."""

from __future__ import annotations

from heapwright.c.ast import (
    AddressOf,
    Assign,
    Binary,
    Cast,
    CompoundLiteral,
    Expr,
    IncDec,
    Member,
    StringLiteral,
    Subscript,
    VarDecl,
    VarRef,
)
from heapwright.c.lower.prepass.environment import Environment, holds_pointers
from heapwright.c.lower.prepass.global_values import variable_of
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.object_layout import AddressTaken, Layout
from heapwright.c.lower.prepass.tree_queries import Node, constant, member_shift, walk
from heapwright.c.types import ArrayType, CType, FloatType, IntegerType, PointerType


def gather(linked: LinkedProgram, layout: Layout, environment: Environment) -> None:
    """Add the address uses in the text of the program to `layout.address_taken`. Pointers that the environment may
    change are objects of their own, variables that it changes as ordinary commands say are not."""
    gatherer = _Gatherer(layout, linked, environment.plain)
    for decl in () if environment.simple else environment.visible:
        if holds_pointers(linked, decl.type) and not decl.lends:
            layout.address_taken.learn(layout.address_taken.boxed, id(decl))
    for function in linked.all_functions:
        if function.body is not None:
            gatherer.visit(function.body)
    for variable in linked.variables:
        if variable.weak and variable.storage == "extern":
            layout.address_taken.learn(layout.address_taken.boxed, id(variable))
        gatherer.visit(variable)


class _Gatherer:
    def __init__(self, layout: Layout, linked: LinkedProgram, plain: frozenset[int]) -> None:
        self.layout = layout
        self.linked = linked
        self.plain = plain
        self.taken: AddressTaken = layout.address_taken
        self.passed: set[int] = set()  # nodes that an enclosing node has handled

    def visit(self, root: Node) -> None:
        for node in walk(root):
            if id(node) in self.passed:
                continue
            match node:
                case AddressOf():
                    if constant(node, self.layout) is None:
                        self.address_of(node.operand)
                case Cast(decay=True):
                    self.address_of(node.operand)
                case Cast():
                    self.cast(node)
                case Subscript():
                    self.subscript(node)
                case Binary() if node.op in ("+", "-"):
                    self.arithmetic(node.type)
                case IncDec():
                    self.arithmetic(node.type)
                case Assign() if node.op in ("+", "-"):
                    self.arithmetic(node.type)
                case VarDecl():
                    self.declaration(node)

    def array_of(self, ctype: CType) -> None:
        """There are arrays of this element type, if it is a scalar."""
        if isinstance(ctype, IntegerType | FloatType | PointerType):
            self.layout.learn_arrays(ctype)
        elif isinstance(ctype, ArrayType):
            self.array_of(ctype.of)

    def address_of(self, lvalue: Expr) -> None:
        variable = variable_of(lvalue, through_casts=False)
        if variable is not None and id(self.linked.resolve(variable)) in self.plain:
            return
        if isinstance(lvalue.type, ArrayType):
            self.array_of(lvalue.type.of)
        match lvalue:
            case VarRef():
                self.taken.learn(self.taken.boxed, id(self.linked.resolve(lvalue.decl)))
            case Member():
                self.taken.learn(self.taken.parts, (lvalue.record, lvalue.name))
            case Subscript():
                self.array_of(lvalue.type)
                if isinstance(lvalue.base, Cast) and lvalue.base.decay:
                    self.address_of(lvalue.base.operand)
            case StringLiteral():
                self.array_of(lvalue.type.of if isinstance(lvalue.type, ArrayType) else lvalue.type)
            case CompoundLiteral():
                self.taken.learn(self.taken.boxed, id(lvalue))

    def subscript(self, node: Subscript) -> None:
        if isinstance(node.base, Cast) and node.base.decay:
            self.passed.add(id(node.base))  # a direct access: the array may dissolve
            if isinstance(node.base.operand, StringLiteral):
                self.array_of(node.type)
        elif constant(node.index, self.layout) != 0:
            self.array_of(node.type)

    def arithmetic(self, ctype: CType) -> None:
        if isinstance(ctype, PointerType):
            self.array_of(ctype.to)

    def cast(self, node: Cast) -> None:
        shift = member_shift(node, self.layout)
        if shift is not None:
            pointer, path, _ = shift
            for part in path:
                self.taken.learn(self.taken.parts, part)
            self.pass_over(node, pointer)
            return
        source, target = node.operand.type, node.type
        if not (isinstance(source, PointerType) and isinstance(target, PointerType)) or source == target:
            return
        for outer, inner_type in ((source.to, target.to), (target.to, source.to)):
            for part in self.layout.first_member_path(outer, inner_type) or ():
                self.taken.learn(self.taken.parts, part)

    def pass_over(self, node: Cast, pointer: Expr) -> None:
        """The arithmetic between a `container_of` cast and its pointer is no walk through an array of bytes."""
        inner = node.operand
        while not isinstance(inner, Binary):
            self.passed.add(id(inner))
            inner = inner.operand  # type: ignore[union-attr]  # member_shift saw nothing but casts here
        self.passed |= {id(inner), *(id(below) for below in walk(inner.right))}
        left = inner.left
        while left is not pointer:
            self.passed.add(id(left))
            left = left.operand  # type: ignore[union-attr]  # as above

    def declaration(self, node: VarDecl) -> None:
        if node.length is not None:
            self.taken.learn(self.taken.boxed, id(node))
            self.array_of(node.type)


def punned_types(layout: Layout) -> set[str]:
    """Object types that may share their address with another object: an owner and its part at offset 0."""
    found: set[str] = set()
    for key, record in layout.records.items():
        for member in record.fields:
            if member.offset == 0 and layout.is_part(key, member.name):
                found |= {key, layout.target(member.type)}
    return found
