"""Expressions as the parser reads them: types, conversions, and what clang shows in an odd way."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.syntax_text import body_text, expr_text, parsed, type_text

from heapwright.c import ast

PRELUDE = """
struct list { struct list *next, *prev; };
struct node { int data; struct node *next; struct list link; unsigned bits : 3; };
struct nested { int tag; union { int i; struct { char *s; long l; }; }; };
enum colour { RED, GREEN = 7, BLUE };
enum big { HUGE_ONE = 0xffffffffu };
typedef struct { int a, b; } pair;
int f(int); void g(void); int k(); int variadic(int, ...);
struct node *p, v; struct node **pp; struct nested n; pair pr; int (*fp)(int);
int i, j, a[3], m[2][3]; unsigned u; long l; char c; short s; double d; _Bool b; void *vp; unsigned long ul;
"""

CASES = {
    # literals
    "1": "1",
    "0x10u": "16:unsigned int",
    "0xffffffffffffffffULL": "18446744073709551615:unsigned long long",
    "-9223372036854775807L": "(-9223372036854775807:long)",
    "2147483648": "2147483648:long",
    "'a'": "97",
    r"'\xff'": "-1",
    r"'\0'": "0",
    "1.5": "float",
    '"hi\\n" "there"': "decay 'hi\\nthere\\x00'",
    r'"a\0b\377\"\\"': "decay 'a\\x00b\\xff\"\\\\\\x00'",
    r'"\x41" "B"': "decay 'AB\\x00'",
    '"é"': "decay '\\xc3\\xa9\\x00'",
    'L"ab"': "decay 'a\\x00\\x00\\x00b\\x00\\x00\\x00\\x00\\x00\\x00\\x00'",
    'u"\\u20ac"': "decay '\\xac \\x00\\x00'",
    "__func__": "decay 'main\\x00'",
    "GREEN": "7",
    "BLUE": "8",
    "HUGE_ONE": "4294967295:unsigned int",
    # variables and functions
    "i": "i",
    "f": "decay @f",
    "&f": "(&@f)",
    "*f": "decay (*decay @f)",
    "f(c)": "@f(<int>c)",
    "(*f)(1)": "@f(1)",
    "(**f)(1)": "@f(1)",
    "(&f)(1)": "@f(1)",
    "fp(1)": "fp(1)",
    "(*fp)(1)": "fp(1)",
    "fp = f": "(fp = decay @f)",
    "k(1, c)": "@k(1, <int>c)",
    "variadic(1, c, 1.0f)": "@variadic(1, <int>c, <double>float)",
    # operators
    "-i": "(-i)",
    "+c": "(+<int>c)",
    "~u": "(~u)",
    "!p": "(!p)",
    "i + c": "(i + <int>c)",
    "i + u": "(<unsigned int>i + u)",
    "u < l": "(<long>u < l)",
    "p == 0": "(p == <#node*>0)",
    "vp == p": "(vp == <void*>p)",
    "p + 1": "(p + 1)",
    "p - &v": "(p - (&v))",
    "i << l": "(i << l)",
    "a[1]": "decay a[1]",
    "1[a]": "decay a[1]",
    "m[i][j]": "decay decay m[i][j]",
    "*a": "(*decay a)",
    "*p": "(*p)",
    "&p->next": "(&p->next)",
    "&a": "(&a)",
    "&a[1]": "(&decay a[1])",
    "i++": "(i++)",
    "--p": "(--p)",
    "p && i": "(p && i)",
    "p || !i": "(p || (!i))",
    "i = c": "(i = <int>c)",
    "c = i": "(c = <char>i)",
    "b = p": "(b = <_Bool>p)",
    "p = vp": "(p = <#node*>vp)",
    "v = *p": "(v = (*p))",
    "c += i": "(c += i in int)",
    "c += 1L": "(c += 1:long in long)",
    "u -= c": "(u -= <unsigned int>c in unsigned int)",
    "i *= d": "(i *= d in double)",
    "p += 2": "(p += 2 in #node*)",
    "s <<= 2L": "(s <<= 2:long in int)",
    "ul >>= 1": "(ul >>= 1 in unsigned long)",
    "v.bits <<= 1": "(v.bits <<= 1 in int)",
    "v.bits |= 1": "(v.bits |= 1 in int)",
    "i, j": "(i, j)",
    "i ? p : 0": "(i ? p : <#node*>0)",
    "p ?: &v": "(p ?  : (&v))",
    "i ?: l": "(i ?  : l)",
    "i ? g() : (void)0": "(i ? @g() : (void)0)",
    # members
    "p->next->data": "p->next->data",
    "v.link.next": "v.link.next",
    "(*p).data": "(*p).data",
    "(*pp)->data": "(*pp)->data",
    "n.tag": "n.tag",
    "n.i": "n.$0.i",
    "n.l": "n.$0.$0.l",
    "(&n)->s": "(&n)->$0.$0.s",
    "v.bits + 1": "(<int>v.bits + 1)",
    # casts
    "(char *)p": "(char*)p",
    "(char)300": "(char)300",
    "(void *)0": "(void*)0",
    "(struct node *)((char *)p - 8)": "(#node*)((char*)p - 8)",
    "(long)a": "(long)decay a",
    "(const int)i": "(int)i",
    # constants of the compiler
    "sizeof(int)": "4:unsigned long",
    "sizeof *p": "40:unsigned long",
    "__alignof__(double)": "8:unsigned long",
    "_Alignof(struct node)": "8:unsigned long",
    "__builtin_offsetof(struct node, link.prev)": "24:unsigned long",
    "__builtin_offsetof(struct nested, l)": "16:unsigned long",
    "__builtin_types_compatible_p(int, int)": "1",
    "__builtin_types_compatible_p(__typeof__(i), long)": "0",
    "__builtin_constant_p(3)": "1",
    "__builtin_constant_p(i)": "0",
    "__builtin_choose_expr(1, i, p)": "i",
    "__builtin_choose_expr(0, i, p)": "p",
    "__extension__ i": "i",
    "_Generic(i, int: 1, default: 2)": "1",
    "_Generic(l, int: 1, long: j, default: 2)": "j",
    "_Generic(u, unsigned: 1, default: 2)": "1",
    "_Generic(p, int: 1, struct node *: 2, default: 3)": "2",
    "_Generic(d, int: 1, long: 2, default: 3)": "3",
    "_Generic(i, int: f, long: g)(1)": "@f(1)",
    # GNU and newer C
    "({ int z = i; z + 1; })": "({int z = i; (z + 1);})",
    "({ ; })": "({;})",
    "(pair){ 1, 2 }": "(#pair){.a = 1, .b = 2}",
    "(int[]){ 1, 2 }": "decay (int[2]){[0] = 1, [1] = 2}",
    "&(pair){ .b = 2 }": "(&(#pair){.b = 2})",
    "(int){ 3 }": "(int)3",
    "__builtin_expect(!!i, 0)": "@__builtin_expect(<long>(!(!i)), <long>0)",
    # what is not expressed is named
    "&&here": "&&here",
    "__real__ d": "?complex number?",
    "__builtin_offsetof(struct { int q[4]; }, q[i])": "?offsetof with a variable index?",
}


@pytest.mark.parametrize("text", CASES)
def test_expression(tmp_path: Path, text: str) -> None:
    unit = parsed(tmp_path, PRELUDE + f"int main(void) {{ here: ;\n {text}; }}")
    shown = body_text(unit).removeprefix("{here: ; ").removesuffix(";}")
    assert shown == CASES[text]


def measured(unit: ast.TranslationUnit) -> str | None:
    body = unit.functions["main"].body
    assert body is not None
    statement = body.statements[0]
    assert isinstance(statement, ast.Return)
    value = statement.value
    while isinstance(value, ast.Cast | ast.Assign):
        value = value.operand if isinstance(value, ast.Cast) else value.right
    assert isinstance(value, ast.IntLiteral)
    return type_text(value.measured) if value.measured else None


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("sizeof(struct node)", "#node"),
        ("sizeof(struct node *)", "#node*"),
        ("sizeof(struct node **)", "#node**"),
        ("sizeof(const struct node)", "#node"),
        ("sizeof(pair)", "#pair"),
        ("sizeof( pair * )", "#pair*"),
        ("sizeof(struct one)", "#one"),
        ("sizeof(struct one *)", "#one*"),
        ("sizeof(int)", "int"),
        ("sizeof(unsigned long int)", "unsigned long"),
        ("sizeof(char *)", "char*"),
        ("sizeof *p", "#node"),
        ("sizeof(p->next)", "#node*"),
        ("sizeof(a)", "int[3]"),
        ("sizeof(__typeof__(*p))", "#node"),
        ("sizeof(__typeof__(*p) *)", None),
        ("SIZE(struct node)", "#node"),
        ("SIZE(struct node *)", "#node*"),
        ("SIZE(struct one)", "#one"),
        ("SIZE(struct one *)", "#one*"),
        ("SIZE(p)", "#node*"),
        ("SIZE(*p)", "#node"),
        ("sizeof(struct node[3])", None),
        ("sizeof(char[4])", None),
        ("__alignof__(struct one)", None),
        ("ALIGN(struct one)", None),
    ],
)
def test_what_a_sizeof_measures(tmp_path: Path, text: str, type: str | None) -> None:
    prelude = PRELUDE + "struct one { void *only; };\n#define SIZE(T) sizeof(T)\n#define ALIGN(T) _Alignof(T)\n"
    assert measured(parsed(tmp_path, prelude + f"int main(void) {{ return {text}; }}")) == type


def test_container_of(tmp_path: Path) -> None:
    text = """
#define container_of(ptr, type, member) ({ const __typeof__(((type *)0)->member) *inner = (ptr); \\
    (type *)((char *)inner - __builtin_offsetof(type, member)); })
int main(void) { struct list *l = 0; struct node *q = container_of(l, struct node, link); }
"""
    assert body_text(parsed(tmp_path, PRELUDE + text)) == (
        "{#list* l = <#list*>0; #node* q = ({#list* inner = l; (#node*)((char*)inner - 16:unsigned long);});}"
    )


def test_variadic_functions(tmp_path: Path) -> None:
    unit = parsed(
        tmp_path,
        "int sum(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); return __builtin_va_arg(ap, int); }",
    )
    assert "(decay ap->next = variable arguments)" in body_text(unit, "sum")
    assert "(decay ap->next = argument->next)" in body_text(unit, "sum")
    assert unit.functions["sum"].rest is not None


def test_members_of_unnamed_members_have_types(tmp_path: Path) -> None:
    unit = parsed(tmp_path, PRELUDE + "int main(void) { n.s; }")
    body = unit.functions["main"].body
    assert body is not None
    statement = body.statements[0]
    assert isinstance(statement, ast.ExprStmt)
    member = statement.expr
    assert isinstance(member, ast.Member)
    assert type_text(member.type) == "char*"
    assert isinstance(member.base, ast.Member)
    assert member.record == member.base.type.key  # type: ignore[union-attr]  # a record: it has members
    assert expr_text(member.base) == "n.$0.$0"
