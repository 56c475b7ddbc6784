"""A tiny assembler for lowered programs, so that tests can be read.

    program = assemble('''
        type node 16: next@0 -> node, data@8: i32
        var p -> node
        p = new node
        p.data = 1
        free p
    ''')

One command a line; it leads to the next line. `label:` names a place, `if LITERAL goto L`, `goto L`, `branch L` (either
way) and `exit` do what they say. The checks that a front end would put on an edge are put on it. Variables are declared
with `var x -> type`, `var i: i32`, or `tmp` for a temporary. Expressions are C-like, of the type of their variables.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import Any

from heapwright.base.source import Span
from heapwright.program import commands as c
from heapwright.program.checks import DEREF_KINDS, FREE_KINDS, Check, CheckKind
from heapwright.program.expressions import (
    JUNK,
    NULL,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    IntVar,
    Literal,
    Pointer,
    PointerCompare,
    ShapeLiteral,
    Unary,
    Var,
    negate,
)
from heapwright.program.graph import Edge, Entry, Graph, Location, Program
from heapwright.program.types import Cells, Field, IntType, ObjectType, Part, Storage, ValueKind, Variable

I32 = IntType(32, True)
OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def int_type(text: str) -> IntType:
    return IntType(int(text[1:]), text[0] == "i")


class Assembler:
    def __init__(self) -> None:
        self.types: dict[str, ObjectType] = {}
        self.variables: dict[str, Variable] = {}
        self.edges: list[Edge[c.Command]] = []
        self.labels: dict[str, int] = {}
        self.jumps: list[tuple[int, str]] = []  # edge index, label
        self.spans: list[Span] = []

    # --- declarations ------------------------------------------------------------------------------------------------

    def type(self, text: str) -> None:
        head, _, body = text.partition(":")
        name, size = head.split()
        if body.strip().startswith("["):
            self.types[name] = self.array(name, body.strip())
            return
        fields, parts = [], []
        for item in filter(None, (piece.strip() for piece in body.split(","))):
            match = re.fullmatch(r"(\w+)@(\d+)\s*(->|:|part)\s*(\S*)", item)
            assert match, item
            field, offset, kind, what = match[1], int(match[2]), match[3], match[4]
            if kind == "part":
                parts.append(Part(field, what, offset))
            else:
                fields.append(self.field(field, kind, offset, what))
        self.types[name] = ObjectType(name, int(size), tuple(fields), tuple(parts))

    def field(self, name: str, kind: str, offset: int, what: str) -> Field:
        if kind == "->":
            return Field(name, ValueKind.POINTER, offset, 8, None, "" if what == "void" else what)
        return Field(name, ValueKind.DATA, offset, int_type(what).bits // 8, int_type(what))

    def array(self, name: str, body: str) -> ObjectType:
        match = re.fullmatch(r"\[(\d*)\]\s*(->|:|of)\s*(\S+)", body)
        assert match, body
        count = int(match[1]) if match[1] else None
        if match[2] == "of":
            stride = self.types[match[3]].size
            return ObjectType(name, stride * (count or 1), cells=Cells(stride, None, match[3], count))
        field = self.field("", match[2], 0, match[3])
        return ObjectType(name, field.size * (count or 1), cells=Cells(field.size, field, "", count))

    def variable(self, text: str, temporary: bool) -> None:
        name, kind, what = re.fullmatch(r"(\S+?)\s*(->|:)\s*(\S+)", text).groups()  # type: ignore[union-attr]
        shown = "" if temporary else name
        if kind == "->":
            target = "" if what == "void" else what
            self.variables[name] = Variable(name, ValueKind.POINTER, None, target, shown, "main")
        else:
            self.variables[name] = Variable(name, ValueKind.DATA, int_type(what), "", shown, "main")

    # --- expressions -------------------------------------------------------------------------------------------------

    def is_pointer(self, text: str) -> bool:
        known = self.variables.get(text)
        return text in ("null", "junk") or (known is not None and known.kind is ValueKind.POINTER)

    def pointer(self, text: str) -> Pointer:
        return NULL if text == "null" else JUNK if text == "junk" else Var(text)

    def expr(self, text: str) -> Expr:
        text = re.sub(r"!(?!=)", " not ", text).strip()
        return self._expr(ast.parse(text, mode="eval").body, self._type_of(text))

    def _type_of(self, text: str) -> IntType:
        for name in re.findall(r"[A-Za-z_$]\w*", text):
            if name in self.variables and self.variables[name].type:
                return self.variables[name].type  # type: ignore[return-value]
        return I32

    def _expr(self, node: ast.expr, type: IntType) -> Expr:
        match node:
            case ast.Constant(value=int(value)):
                return Const(value, type)
            case ast.Name(id=name):
                return IntVar(name, self.variables[name].type or I32)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return Const(-value, type)
            case ast.UnaryOp(op=op, operand=operand):
                sign = {ast.USub: "-", ast.Invert: "~", ast.Not: "!"}[op.__class__]
                return Unary(sign, self._expr(operand, type), type)  # type: ignore[arg-type]
            case ast.BinOp(left=left, op=op, right=right):
                return Binary(OPERATORS[op.__class__], self._expr(left, type), self._expr(right, type), type)  # type: ignore[arg-type]
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return Binary(OPERATORS[op.__class__], self._expr(left, type), self._expr(right, type), I32)  # type: ignore[arg-type]
            case ast.Call(func=ast.Name(id=name), args=[operand]):
                return Convert(self._expr(operand, type), int_type(name))
        raise ValueError(ast.dump(node))

    def literal(self, text: str) -> Literal:
        text = text.strip()
        shape = re.fullmatch(r"(!?)(\w+)\(([^()]*)\)", text)
        if shape and shape[2] not in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"):
            arguments = [piece.strip() for piece in shape[3].split(",")]
            pointers = tuple(self.pointer(piece) for piece in arguments if self.is_pointer(piece))
            fields = tuple(piece for piece in arguments if not self.is_pointer(piece))
            return ShapeLiteral(shape[2], pointers, fields, bool(shape[1]))
        op: Any
        left, op, right = re.fullmatch(r"(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)", text).groups()  # type: ignore[union-attr]
        if self.is_pointer(left) and self.is_pointer(right):
            return PointerCompare(op, self.pointer(left), self.pointer(right))
        type = self._type_of(text)
        first = self._expr(ast.parse(left.strip(), mode="eval").body, type)
        return Compare(op, first, self._expr(ast.parse(right.strip(), mode="eval").body, type))

    # --- commands ----------------------------------------------------------------------------------------------------

    def command(self, text: str) -> c.Command:
        words = text.split()
        if words[0] in ("free", "leave"):
            return c.Free(words[1]) if words[0] == "free" else c.Leave(words[1])
        if words[0] == "scramble":
            base, field = words[1].split(".")
            return c.Scramble(base, field)
        if words[0] == "havoc":
            return self.havoc(words)
        if words[0] in ("skip", "assume"):
            return c.Skip(text[4:].strip()) if words[0] == "skip" else c.Assume(self.literal(text[6:]))
        left, _, right = text.partition(" = ")
        left, right = left.strip(), right.strip()
        cell = re.fullmatch(r"(\w+)\[(.+)\]", left)
        if cell:
            index = self.expr(cell[2])
            if self.is_pointer(right):
                return c.StoreCell(cell[1], index, self.pointer(right))
            return c.StoreDataCell(cell[1], index, self.expr(right))
        if "." in left:
            base, field = left.split(".")
            if self.is_pointer(right):
                return c.Store(base, field, self.pointer(right))
            return c.StoreData(base, field, self.expr(right))
        return self.value(left, right)

    def havoc(self, words: list[str]) -> c.Havoc:
        target = words[1]
        numbers = [int(word) for word in words[2:] if re.fullmatch(r"-?\d+", word)]
        low, high = numbers if numbers else (None, None)
        source = "uninitialised" if "uninitialised" in words else "__VERIFIER_nondet_int"
        return c.Havoc(target, self.variables[target].type or I32, source, "approximate" in words, low, high)

    def value(self, target: str, right: str) -> c.Command:
        pointer = self.is_pointer(target)
        words = right.split()
        if words[0] == "new":
            return self.new(target, words)
        if words[0] == "any":
            return c.AnyPointer(target, words[1])
        if words[0] == "len":
            return c.Length(target, words[1])
        if words[0] == "dist":
            return c.Distance(target, words[1], words[2])
        if words[0] == "owner":
            owner, part = words[2].split(".")
            return c.Follow(target, words[1], owner, part, True)
        if right.startswith("&"):
            base, part = right[1:].split(".")
            return c.Follow(target, base, self.variables[base].target, part, False)
        cast = re.fullmatch(r"\((\S+)\)\s*(\w+)", right)
        if pointer and cast:
            return c.Reinterpret(target, cast[2], cast[1])
        cell = re.fullmatch(r"(\w+)\[(.+)\]", right)
        if cell:
            make = c.LoadCell if pointer else c.LoadDataCell
            return make(target, cell[1], self.expr(cell[2]))
        field = re.fullmatch(r"(\w+)\.(\w+)", right)
        if field:
            return (c.Load if pointer else c.LoadData)(target, field[1], field[2])
        shift = re.fullmatch(r"(\w+) \+ (.+)", right)
        if pointer and shift:
            declared = self.types.get(self.variables[shift[1]].target)
            rows = declared is not None and declared.cells is not None and declared.cells.object
            unit = declared.cells.stride if declared and declared.cells and rows else 0
            return c.Shift(target, shift[1], self.expr(shift[2]), unit)
        return c.Assign(target, self.pointer(right)) if pointer else c.Compute(target, self.expr(right))

    def new(self, target: str, words: list[str]) -> c.New:
        options = " ".join(words[2:])
        count = re.search(r"count \((.*?)\)", options)
        size = re.search(r"size \((.*?)\)", options)
        storage = Storage.STACK if "stack" in words else Storage.STATIC if "static" in words else Storage.HEAP
        return c.New(
            target,
            "" if words[1] == "untyped" else words[1],
            storage,
            self.expr(count[1]) if count else None,
            self.expr(size[1]) if size else None,
            "zeroed" in words,
            "mayfail" in words,
        )

    # --- edges -------------------------------------------------------------------------------------------------------

    def checks(self, command: c.Command, span: Span) -> tuple[Check, ...]:
        kinds: list[CheckKind] = []
        subject = getattr(command, "base", "")
        if isinstance(command, c.Dereference):
            kinds += DEREF_KINDS
        if isinstance(command, c.Free):
            kinds += FREE_KINDS
        if not isinstance(command, c.Assume | c.Assert | c.Skip | c.Havoc | c.Compute):
            kinds.append(CheckKind.LEAK)
        return tuple(Check(kind, span, "main", subject) for kind in kinds)

    def line(self, text: str, number: int) -> None:
        here = len(self.spans)
        span = Span("t.c", number, 1)
        label = re.fullmatch(r"(\w+):", text)
        if label:
            self.labels[label[1]] = here
            return
        self.spans.append(span)
        jump = re.fullmatch(r"if (.+) goto (\w+)", text)
        if jump:
            literal = self.literal(jump[1])
            self.jumps.append((len(self.edges), jump[2]))
            self.edges.append(Edge(here, c.Assume(literal), -1, (), span))
            self.edges.append(Edge(here, c.Assume(negate(literal)), here + 1, (), span))
        elif text.startswith(("goto ", "branch ")):
            self.jumps.append((len(self.edges), text.split()[1]))
            self.edges.append(Edge(here, c.Skip(), -1, (), span))
            if text.startswith("branch"):
                self.edges.append(Edge(here, c.Skip(), here + 1, (), span))
        elif text.startswith("assert "):
            literal = self.literal(text[7:])
            kind = CheckKind.SHAPE if isinstance(literal, ShapeLiteral) else CheckKind.ASSERT
            self.edges.append(Edge(here, c.Assert(literal, Check(kind, span, "main", text[7:])), here + 1, (), span))
        elif text == "cleanup":
            check = Check(CheckKind.LEAK, span, "main", cleanup=True)
            self.edges.append(Edge(here, c.Skip("return"), here + 1, (check,), span))
        elif text != "exit":
            command = self.command(text)
            self.edges.append(Edge(here, command, here + 1, self.checks(command, span), span))

    def program(self) -> Program:
        end = len(self.spans)
        self.labels.setdefault("end", end)
        for index, label in self.jumps:
            self.edges[index] = replace(self.edges[index], target=self.labels[label])
        spans = [*self.spans, self.spans[-1] if self.spans else Span("t.c", 1, 1)]
        locations = tuple(Location(index, span, "main") for index, span in enumerate(spans))
        return Program(Graph(locations, tuple(self.edges), 0), self.variables, self.types, Entry())


def assemble(text: str) -> Program:
    """The program that a text describes; line numbers are those of the text."""
    assembler = Assembler()
    for number, raw in enumerate(text.splitlines()):
        line = raw.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("type "):
            assembler.type(line[5:])
        elif line.startswith(("var ", "tmp ")):
            assembler.variable(line[4:], line.startswith("tmp"))
        else:
            assembler.line(line, number)
    return assembler.program()
