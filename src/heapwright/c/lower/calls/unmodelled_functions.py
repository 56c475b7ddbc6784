"""Library functions without a complete model.

They are approximate: a pointer that they are handed must be null or valid, since they would dereference it; what they
write, keep and return is not known, so that nothing behind the call is proved, and nothing that depends on it violated.
"""

from __future__ import annotations

from heapwright.c import ast
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.rvalues import RValues
from heapwright.c.lower.prepass.object_layout import is_aggregate, is_pointer
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import strip_casts
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import ArrayType, CType, FunctionType, PointerType, RecordType, VoidType
from heapwright.program.commands import Skip
from heapwright.program.expressions import JUNK, NULL, PointerCompare, Var


class UnmodelledFunctions(Part):
    def __init__(self, context: Context, evaluator: RValues) -> None:
        super().__init__(context)
        self.evaluator = evaluator

    def call(self, expr: ast.Call, name: str) -> Value | LValue | None:
        handed = False
        for argument in expr.arguments:
            if is_pointer(argument.type) or isinstance(argument.type, ArrayType):
                handed = self.hand_over(argument) or handed
            else:
                self.evaluator.effects(argument)
        self.b.at(expr.span)
        if handed or is_pointer(expr.type) or is_aggregate(expr.type):
            self.b.emit(Skip(f"{name}(...)", "", f"what '{name}' does is not modelled"))
        if isinstance(expr.type, VoidType):
            return None
        if is_aggregate(expr.type):
            return self.lvalues.temporary(expr.type)
        return JUNK if is_pointer(expr.type) else self.operands.approximate(self.layout.int_type(expr.type))

    def hand_over(self, argument: ast.Expr) -> bool:
        """Whether a pointer argument may let the function change memory; it must be null or valid."""
        bare = strip_casts(argument)
        if isinstance(bare, ast.StringLiteral) or isinstance(bare.type, FunctionType):
            return isinstance(bare.type, FunctionType)
        pointer = self.operands.snapshot_pointer(self.evaluator.pointer(argument))
        self.b.at(argument.span)
        if not isinstance(pointer, Var):
            return pointer != NULL
        valid, after = self.b.location(), self.b.location()
        self.b.split(PointerCompare("!=", pointer, NULL), valid, after)
        self.b.current = valid
        self.probe(pointer, self.pointee(argument), text(argument, self.layout))
        self.b.goto(after)
        self.b.current = after
        return True

    def pointee(self, argument: ast.Expr) -> CType | None:
        bare = strip_casts(argument)
        type = bare.type if isinstance(bare.type, PointerType) else argument.type
        return type.to if isinstance(type, PointerType) else None

    def probe(self, pointer: Var, pointee: CType | None, subject: str) -> None:
        """Read the first scalar."""
        while isinstance(pointee, RecordType | ArrayType):
            if isinstance(pointee, ArrayType):
                pointee = pointee.of
                continue
            record = self.layout.records[pointee.key]
            if not record.complete or not record.fields or record.union or record.fields[0].bits is not None:
                return
            if self.layout.is_part(pointee.key, record.fields[0].name):
                break
            member = self.lvalues.member(
                self.lvalues.dereference(pointer, pointee, subject), pointee.key, record.fields[0].name
            )
            if is_aggregate(member.type):
                return
            self.accesses.load(member)
            return
        if pointee is None or isinstance(pointee, VoidType | FunctionType | RecordType):
            return
        self.accesses.load(self.lvalues.dereference(pointer, pointee, subject))
