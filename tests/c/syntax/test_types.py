"""Types, records and declarations as the parser reads them, in both data models."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.syntax_text import body_text, parsed, type_text

from heapwright.c import ast
from heapwright.c.types import IntegerType, Record, RecordType


def variable(unit: ast.TranslationUnit, name: str) -> ast.VarDecl:
    return next(one for one in unit.globals if one.name == name)


@pytest.mark.parametrize(
    ("declaration", "type"),
    [
        ("int v", "int"),
        ("const volatile unsigned v", "unsigned int"),
        ("unsigned char v", "unsigned char"),
        ("long long v", "long long"),
        ("_Bool v", "_Bool"),
        ("__int128 v", "__int128"),
        ("float v", "float"),
        ("long double v", "long double"),
        ("double _Complex v", "_Complex double"),
        ("int v __attribute__((vector_size(16)))", "__attribute__((__vector_size__(4 * sizeof(int)))) int"),
        ("int *const *v", "int**"),
        ("int v[3][4]", "int[4][3]"),
        ("extern int v[]; int *w = v", "int[]"),
        ("int v[]; int v[3]", "int[3]"),
        ("void (*v)(int, char *)", "void(int, char*)*"),
        ("int (*v)()", "int(...)*"),
        ("int (*v)(const char *, ...)", "int(char*, ...)*"),
        ("enum e { A } v", "enum e"),
        ("enum { A } v", "enum"),
        ("struct s { int x; } *v", "#s*"),
        ("struct undefined *v", "#undefined*"),
        ("typedef struct { int x; } pair; pair v", "#pair"),
        ("typedef struct s { int x; } t; t v", "#s"),
        ("_Atomic int v", "int"),
        ("int w; __typeof__(&w) v", "int*"),
        ("typedef int number; typedef number *pointer; const pointer v[2]", "int*[2]"),
    ],
)
def test_type(tmp_path: Path, declaration: str, type: str) -> None:
    assert type_text(variable(parsed(tmp_path, f"{declaration};"), "v").type) == type


@pytest.mark.parametrize(
    ("model", "sizes"),
    [("LP64", {"long": 64, "pointer": 64, "size": 24}), ("ILP32", {"long": 32, "pointer": 32, "size": 12})],
)
def test_data_models(tmp_path: Path, model: str, sizes: dict[str, int]) -> None:
    text = "struct s { char c; void *p; long l; } v; long l; long long ll; int f(void) { return sizeof(struct s); }"
    unit = parsed(tmp_path, text, model=model)
    assert unit.model.name == model
    assert unit.model.pointer_bits == sizes["pointer"]
    assert unit.records["s"].size == sizes["size"]
    long = variable(unit, "l").type
    assert isinstance(long, IntegerType)
    assert long.int.bits == sizes["long"]
    longer = variable(unit, "ll").type
    assert isinstance(longer, IntegerType)
    assert longer.int.bits == 64
    assert f"{sizes['size']}:unsigned {'long' if model == 'LP64' else 'int'}" in body_text(unit, "f")


def layout(record: Record) -> list[tuple[str, str, int]]:
    return [(field.name, type_text(field.type), field.offset) for field in record.fields]


def test_layout(tmp_path: Path) -> None:
    unit = parsed(tmp_path, "struct s { char c; int i; struct s *next; short a[3]; } v;")
    record = unit.records["s"]
    assert layout(record) == [("c", "char", 0), ("i", "int", 4), ("next", "#s*", 8), ("a", "short[3]", 16)]
    assert (record.name, record.union, record.size, record.complete) == ("struct s", False, 24, True)
    assert (record.span.line, record.span.column) == (1, 8)


def test_packed_and_aligned(tmp_path: Path) -> None:
    packed = "struct s { char c; int i; } __attribute__((packed)) v;"
    unit = parsed(tmp_path, packed + "struct t { char c; int i __attribute__((aligned(16))); } w;")
    assert [field.offset for field in unit.records["s"].fields] == [0, 1]
    assert [field.offset for field in unit.records["t"].fields] == [0, 16]


def test_bit_fields(tmp_path: Path) -> None:
    unit = parsed(tmp_path, "struct s { unsigned a : 3, b : 7; int : 0; int c : 9; char d; } v;")
    fields = {field.name: (field.offset, field.bits, field.bit_offset) for field in unit.records["s"].fields}
    assert fields == {"a": (0, 3, 0), "b": (0, 7, 3), "c": (4, 9, 32), "d": (6, None, 0)}


def test_unnamed_members(tmp_path: Path) -> None:
    unit = parsed(
        tmp_path, "struct s { int a; union { int b; char c; }; struct { int d; }; struct { int e; } named; } v;"
    )
    names = [field.name for field in unit.records["s"].fields]
    assert names == ["a", "$0", "$1", "named"]
    key = unit.records["s"].fields[1].type
    assert isinstance(key, RecordType)
    union = unit.records[key.key]
    assert (union.name, union.union, layout(union)) == ("unnamed union", True, [("b", "int", 0), ("c", "char", 0)])


def test_incomplete_records(tmp_path: Path) -> None:
    unit = parsed(tmp_path, "struct hidden *v;")
    assert not unit.records["hidden"].complete
    assert unit.records["hidden"].fields == ()


def test_records_of_one_name_have_keys_of_their_own(tmp_path: Path) -> None:
    text = """struct s { int global; } v;
typedef struct { int other; } s; s w;
void f(void) { struct s { int local; } x; x.local = 1; { struct s { long inner; } y; y.inner = 2; } }
"""
    unit = parsed(tmp_path, text)
    fields = {key: [field.name for field in record.fields] for key, record in unit.records.items()}
    short = {key.replace(f"{tmp_path}/", ""): names for key, names in fields.items()}
    assert short == {
        "s": ["global"],
        "s@input.c:2:9": ["other"],
        "s@input.c:3:23": ["local"],
        "s@input.c:3:65": ["inner"],
    }


def test_records_that_refer_to_each_other(tmp_path: Path) -> None:
    chain = "".join(f"struct s{i} {{ struct s{i + 1} *next; }};" for i in range(3000))
    unit = parsed(tmp_path, f"struct s3000; {chain} struct s0 v;")
    assert len(unit.records) == 3001


# --- declarations ----------------------------------------------------------------------------------------------------


def test_globals(tmp_path: Path) -> None:
    text = """extern int declared, defined, unused; int defined = 1; static int own; int tentative; int tentative;
extern int with_value = 3; int f(void) { extern int inside; return declared + inside + defined; }
"""
    unit = parsed(tmp_path, text)
    assert {one.name: (one.storage, one.file_static) for one in unit.globals} == {
        "defined": ("global", False),
        "own": ("global", True),
        "tentative": ("global", False),
        "with_value": ("global", False),
        "declared": ("extern", False),
        "inside": ("extern", False),
    }


def test_one_object_for_all_uses(tmp_path: Path) -> None:
    unit = parsed(tmp_path, "extern int x; int f(void) { return x; } int x = 1; int g(void) { return x; }")
    found = []
    for name in ("f", "g"):
        body = unit.functions[name].body
        assert body is not None
        found.append(body.statements[0].value.decl)  # type: ignore[union-attr]  # `return x`
    assert found[0] is found[1] is variable(unit, "x")


def test_functions(tmp_path: Path) -> None:
    text = """static int own(int a) { return a; }
void unused(void); int used(char *s, ...); _Noreturn void stop(void); void halt(void) __attribute__((noreturn));
#define NORETURN __attribute__((__noreturn__))
NORETURN void end(void) { for (;;) ; }
int old(a, b) int a, b; { return a + b; }
void none() { used("x", 1); stop(); halt(); __VERIFIER_implicit(1); own(2); }
"""
    unit = parsed(tmp_path, text)
    shown = {name: (type_text(one.type), one.body is not None) for name, one in unit.functions.items()}
    assert shown == {
        "own": ("int(int)", True),
        "end": ("void()", True),
        "old": ("int(int, int)", True),
        "none": ("void()", True),
        "used": ("int(char*, ...)", False),
        "stop": ("void()", False),
        "halt": ("void()", False),
        "__VERIFIER_implicit": ("int(...)", False),
    }
    assert {name for name, one in unit.functions.items() if one.no_return} == {"stop", "halt", "end"}
    assert {name for name, one in unit.functions.items() if one.file_static} == {"own"}
    assert [parameter.name for parameter in unit.functions["old"].parameters] == ["a", "b"]
    assert unit.functions["own"].parameters[0].storage == "parameter"


def test_parameters_of_a_function_that_returns_a_function(tmp_path: Path) -> None:
    unit = parsed(tmp_path, "int (*pick(int which))(char) { return 0; }")
    assert [parameter.name for parameter in unit.functions["pick"].parameters] == ["which"]
    assert type_text(unit.functions["pick"].type) == "int(char)*(int)"


def test_function_defined_after_its_use(tmp_path: Path) -> None:
    unit = parsed(tmp_path, "int later(int); int f(void) { return later(1); } int later(int x) { return x; }")
    assert unit.functions["later"].body is not None
    assert body_text(unit, "later") == "{return x;}"
