"""Syntax trees as text, with every conversion in sight, so that a test can say what it expects in one line.

`<T>e` is an implicit conversion, `(T)e` a written one, `decay e` that of an array or function to a pointer, `@f` a
function, `3:unsigned long` a constant that is no int, `?thing?` something unsupported.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heapwright.c import ast
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.c.types import ArrayType, CType, FloatType, FunctionType, IntegerType, PointerType, RecordType, VoidType


def parsed(folder: Path, text: str, **options: Any) -> ast.TranslationUnit:
    file = folder / "input.c"
    file.write_text(text)
    return parse(str(file), ParseOptions(**options))


def type_text(type: CType) -> str:
    match type:
        case VoidType():
            return "void"
        case IntegerType() | FloatType():
            return type.name
        case PointerType(to):
            return f"{type_text(to)}*"
        case ArrayType(of, count):
            return f"{type_text(of)}[{'' if count is None else count}]"
        case RecordType(key):
            return f"#{key}"
        case FunctionType(result, parameters, variadic):
            inside = [type_text(one) for one in parameters] + ["..."] * variadic
            return f"{type_text(result)}({', '.join(inside)})"


def expr_text(expr: ast.Expr) -> str:
    show = expr_text
    match expr:
        case ast.IntLiteral(type=type, value=value):
            return str(value) if type_text(type) == "int" else f"{value}:{type_text(type)}"
        case ast.FloatLiteral():
            return "float"
        case ast.RowIndex():
            return f"{show(expr.index)} below {show(expr.length)}"
        case ast.VariableSize():
            return "sizeof"
        case ast.LabelAddress(label=label):
            return f"&&{label}"
        case ast.StringLiteral(bytes=data):
            return repr(data)[1:]
        case ast.VarRef(decl=decl):
            return decl.name
        case ast.FunctionRef(name=name):
            return f"@{name}"
        case ast.Unary(op=op, operand=operand):
            return f"({op}{show(operand)})"
        case ast.Deref(operand=operand):
            return f"(*{show(operand)})"
        case ast.AddressOf(operand=operand):
            return f"(&{show(operand)})"
        case ast.IncDec(op=op, prefix=prefix, operand=operand):
            return f"({op * 2}{show(operand)})" if prefix else f"({show(operand)}{op * 2})"
        case ast.Binary(op=op, left=left, right=right) | ast.Logical(op=op, left=left, right=right):
            return f"({show(left)} {op} {show(right)})"
        case ast.Assign(left=left, right=right, op=op, computation=computation):
            return f"({show(left)} {op}= {show(right)}{f' in {type_text(computation)}' if computation else ''})"
        case ast.Comma(left=left, right=right):
            return f"({show(left)}, {show(right)})"
        case ast.Conditional(condition=condition, then=then, other=other):
            return f"({show(condition)} ? {show(then) if then else ''} : {show(other)})"
        case ast.Member(base=base, name=name, arrow=arrow):
            return f"{show(base)}{'->' if arrow else '.'}{name}"
        case ast.Subscript(base=base, index=index):
            return f"{show(base)}[{show(index)}]"
        case ast.Cast(type=type, operand=operand, explicit=explicit, decay=decay):
            mark = "decay " if decay else f"({type_text(type)})" if explicit else f"<{type_text(type)}>"
            return mark + show(operand)
        case ast.Call(callee=callee, arguments=arguments):
            return f"{show(callee)}({', '.join(map(show, arguments))})"
        case ast.StatementExpr(body=body):
            return f"({stmt_text(body)})"
        case ast.InitList(items=items):
            return "{" + ", ".join(f"{_path(path)} = {show(value)}" for path, value in items) + "}"
        case ast.CompoundLiteral(type=type, initializer=initializer):
            return f"({type_text(type)}){show(initializer)}"
        case ast.UnsupportedExpr(construct=construct):
            return f"?{construct}?"


def _path(path: tuple[ast.Designator, ...]) -> str:
    return "".join(f".{step.name}" if step.name else f"[{step.index}]" for step in path)


def stmt_text(stmt: ast.Stmt) -> str:
    show, expr = stmt_text, expr_text
    match stmt:
        case ast.Block(statements=statements):
            return "{" + " ".join(map(show, statements)) + "}"
        case ast.Declare(variables=variables):
            return " ".join(map(_declaration, variables))
        case ast.ExprStmt(expr=value):
            return f"{expr(value)};"
        case ast.If(condition=condition, then=then, other=other):
            return f"if {expr(condition)} {show(then)}" + (f" else {show(other)}" if other else "")
        case ast.While(condition=condition, body=body):
            return f"while {expr(condition)} {show(body)}"
        case ast.DoWhile(body=body, condition=condition):
            return f"do {show(body)} while {expr(condition)}"
        case ast.For(init=init, condition=condition, step=step, body=body):
            parts = (show(init) if init else ";", expr(condition) if condition else "", expr(step) if step else "")
            return f"for ({parts[0]} {parts[1]}; {parts[2]}) {show(body)}"
        case ast.Switch(condition=condition, body=body):
            return f"switch {expr(condition)} {show(body)}"
        case ast.Case(low=low, high=high, body=body):
            return f"case {low}{'' if low == high else f'...{high}'}: {show(body)}"
        case ast.Default(body=body):
            return f"default: {show(body)}"
        case ast.Break():
            return "break;"
        case ast.Continue():
            return "continue;"
        case ast.Return(value=value):
            return f"return {expr(value)};" if value else "return;"
        case ast.Goto(label=label):
            return f"goto {label};"
        case ast.ComputedGoto(target=target):
            return f"goto *{expr(target)};"
        case ast.Label(name=name, body=body):
            return f"{name}: {show(body)}"
        case ast.Empty():
            return ";"
        case ast.UnsupportedStmt(construct=construct):
            return f"?{construct}?"


def _declaration(variable: ast.VarDecl) -> str:
    text = f"{'' if variable.storage == 'local' else variable.storage + ' '}{type_text(variable.type)} {variable.name}"
    if variable.length is not None:
        text += f" of {expr_text(variable.length)}"
    return text + (f" = {expr_text(variable.initializer)};" if variable.initializer else ";")


def body_text(unit: ast.TranslationUnit, function: str = "main") -> str:
    body = unit.functions[function].body
    assert body is not None
    return stmt_text(body)
