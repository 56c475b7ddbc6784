"""Inputs that may point to globals and into one another: their possible targets are objects of their own.

int g; int f(int *p, struct pair *q)        # `p` may be `&g`, `&q->first` or `&q->second`
"""

from __future__ import annotations

from heapwright.c.ast import FunctionDecl
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.object_layout import Layout, is_aggregate
from heapwright.c.types import ArrayType, CType, FunctionType, PointerType, RecordType, VoidType


def separate_objects(linked: LinkedProgram, layout: Layout, entry: FunctionDecl) -> None:
    """Makes parts of the members, and blocks of the globals, that inputs may point to."""
    types = [parameter.type for parameter in entry.parameters] + [variable.type for variable in linked.variables]
    seen: set[CType] = set()
    targets: set[str] = set()
    while types:
        top = types.pop()
        if top in seen or isinstance(top, VoidType | FunctionType):
            continue
        seen.add(top)
        match top:
            case PointerType(to):
                types.append(to)
                targets.add(_name(layout, to))
            case ArrayType(of, _):
                types.append(of)
            case RecordType(key):
                types += [member.type for member in layout.records[key].fields]
    taken = layout.address_taken
    for record in (one.key for one in seen if isinstance(one, RecordType)):
        if not layout.records[record].union:
            for member in layout.records[record].fields:
                if member.bits is None and _name(layout, member.type) in targets:
                    taken.learn(taken.parts, (record, member.name))
    for variable in linked.variables:
        if not variable.const and not linked.is_model(variable):
            taken.learn(taken.boxed, id(linked.resolve(variable)))


def _name(layout: Layout, ctype: CType) -> str:
    """The kind of object that a value of a type is."""
    if isinstance(ctype, VoidType | FunctionType):
        return ""
    return str(ctype) if is_aggregate(ctype) else layout.scalar_name(ctype)
