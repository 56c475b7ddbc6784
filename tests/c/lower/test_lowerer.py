"""Lowering, construct by construct: which commands come out. What they mean is tested on whole programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.commands import (
    AnyPointer,
    Assert,
    Assume,
    Command,
    Follow,
    Free,
    Havoc,
    Leave,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    New,
    Reinterpret,
    Scramble,
    Shift,
    Store,
    StoreData,
)
from heapwright.program.expressions import Const, ShapeLiteral
from heapwright.program.graph import Program
from heapwright.program.types import Storage
from heapwright.testing.call_budget import call_budget

Lowered = Callable[..., Program]  # of C texts
C = TypeVar("C", bound=Command)

NODE = "#include <stdlib.h>\nstruct node { int data; struct node *next; };\n"


@pytest.fixture
def lowered(tmp_path: Path) -> Lowered:
    def make(text: str, *, model: str = "LP64", **options: object) -> Program:
        file = tmp_path / "program.c"
        file.write_text(text, encoding="utf-8")
        return lower([parse(str(file), ParseOptions(model=model))], **options)  # type: ignore[arg-type]

    return make


def commands(program: Program, *kinds: type[C]) -> list[C]:
    return [edge.command for edge in program.graph.edges if isinstance(edge.command, kinds)]


def kinds_at(program: Program, line: int) -> set[CheckKind]:
    return {check.kind for check in program.checks if check.span.line == line}


# --- variables and boxing -----------------------------------------------------------------------------------------


def test_plain_variables_stay_variables(lowered: Lowered) -> None:
    program = lowered("int main(void) { int i = 1; int *p = 0; return i + (p == 0); }")
    assert not commands(program, New)
    assert {"i", "p"} <= set(program.variables)


def test_a_variable_whose_address_is_taken_is_a_stack_block_that_ends_with_its_scope(lowered: Lowered) -> None:
    program = lowered("int main(void) { int *p; { int x = 1; p = &x; } return 0; }")
    (new,) = commands(program, New)
    assert (new.target, new.storage) == ("&x", Storage.STACK)
    assert commands(program, Leave) == [Leave("&x")]


def test_a_pointer_to_a_pointer_is_a_box_with_one_field(lowered: Lowered) -> None:
    program = lowered(NODE + "int main(void) { struct node *h = 0; struct node **pp = &h; *pp = 0; return 0; }")
    assert program.types["node *"].fields[0].name == "*"
    assert {store.field for store in commands(program, Store)} == {"*"}


def test_a_member_whose_address_is_taken_is_a_part(lowered: Lowered) -> None:
    program = lowered(
        NODE + "int main(void) { struct node n; struct node **pp = &n.next; *pp = 0; return n.next == 0; }"
    )
    (part,) = program.types["node"].parts
    assert (part.name, part.offset, part.down, part.up("node")) == ("next", 8, "next$", "owner$node.next")
    assert Follow("pp", "&n", "node", "next", up=False) in [
        Follow("pp", follow.base, follow.owner, follow.part, follow.up) for follow in commands(program, Follow)
    ]


def test_members_of_a_variable_are_not_taken_for_fields_of_objects(lowered: Lowered) -> None:
    """Where there are objects of the type that has the name of a variable, the variable gets another one."""
    text = NODE + "int main(void) { struct node node = {0, malloc(sizeof node)}; node.next->data = 1; return 0; }"
    program = lowered(text)
    assert {"node#2.data", "node#2.next"} <= program.variables.keys()
    assert "node.next" not in program.variables
    assert program.variables["node#2.next"].source_name == "node.next"
    alone = lowered("struct pair { int a, b; }; int main(void) { struct pair pair = {1, 2}; return pair.a; }")
    assert {"pair.a", "pair.b"} <= alone.variables.keys()


def test_a_struct_that_is_never_pointed_to_dissolves_into_variables(lowered: Lowered) -> None:
    program = lowered("struct p { int x, y; }; int main(void) { struct p a = {1, 2}, b = a; return b.y; }")
    assert not commands(program, New)
    assert {"a.x", "a.y", "b.x", "b.y"} <= set(program.variables)


def test_container_of_follows_the_owner_link(lowered: Lowered) -> None:
    program = lowered(
        "#include <stddef.h>\nstruct list { struct list *next; }; struct item { int key; struct list link; };\n"
        "int main(void) { struct item i; struct list *l = &i.link;\n"
        "struct item *p = (struct item *)((char *)l - offsetof(struct item, link)); return p->key; }"
    )
    up = [follow for follow in commands(program, Follow) if follow.up]
    assert [(follow.owner, follow.part) for follow in up] == [("item", "link")]


def test_a_cast_to_the_first_member_follows_its_link_down_and_back(lowered: Lowered) -> None:
    program = lowered(
        "struct base { int tag; }; struct derived { struct base base; int extra; };\n"
        "int main(void) { struct derived d; struct base *b = (struct base *)&d;\n"
        "struct derived *e = (struct derived *)b; return e->extra; }"
    )
    assert [follow.up for follow in commands(program, Follow)] == [False, True]


# --- arrays -------------------------------------------------------------------------------------------------------


def test_a_small_array_dissolves_and_an_index_branches(lowered: Lowered) -> None:
    program = lowered("int main(void) { int a[3] = {1, 2, 3}; int i = 1; return a[i]; }")
    assert {"a[0]", "a[1]", "a[2]"} <= set(program.variables)
    bounds = [a for a in commands(program, Assert) if a.check.kind is CheckKind.BOUNDS]
    assert len(bounds) == 2
    assert not commands(program, LoadDataCell)


def test_a_large_array_is_an_object_with_cells(lowered: Lowered) -> None:
    program = lowered("int main(void) { int a[20]; a[3] = 1; return a[3]; }")
    (new,) = commands(program, New)
    assert program.types[new.type].cells is not None
    assert isinstance(new.count, Const)
    assert new.count.value == 20


def test_an_allocated_array_has_its_count_and_pointer_arithmetic_is_a_shift(lowered: Lowered) -> None:
    program = lowered(
        "#include <stdlib.h>\nint main(void) { int n = 3; int *p = malloc(n * sizeof(int)); p++; *p = 1; "
        "free(p - 1); return 0; }"
    )
    (new,) = commands(program, New)
    assert new.type == "int[]"
    assert new.count is not None
    assert len(commands(program, Shift)) == 2


def test_an_array_of_pointers_is_read_by_cells(lowered: Lowered) -> None:
    program = lowered(
        NODE + "int main(void) { struct node **t = calloc(10, sizeof(struct node *)); struct node *n = t[2]; "
        "free(t); return n == 0; }"
    )
    (new,) = commands(program, New)
    assert isinstance(new.count, Const)
    assert (new.type, new.zeroed, new.count.value) == ("node *[]", True, 10)
    assert len(commands(program, LoadCell)) == 1


# --- unions -------------------------------------------------------------------------------------------------------


def test_a_write_to_a_union_scrambles_what_overlaps(lowered: Lowered) -> None:
    program = lowered(
        "#include <stdlib.h>\nunion u { int i; char c; void *p; };\n"
        "int main(void) { union u *x = malloc(sizeof *x); x->i = 1; free(x); return 0; }"
    )
    assert {scramble.field for scramble in commands(program, Scramble)} == {"c", "p"}


def test_members_of_a_union_with_one_type_are_one_field(lowered: Lowered) -> None:
    program = lowered(
        "union u { struct { int tag; int a; } x; struct { int tag; char b; } y; };\n"
        "int main(void) { union u v; v.x.tag = 3; return v.y.tag; }"
    )
    assert "v.y.tag" not in program.variables


# --- allocation ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "type_"),
    [
        ("struct node *p = malloc(sizeof(struct node));", "node"),
        ("struct node *p = malloc(sizeof *p);", "node"),
        ("void *p = malloc(sizeof(struct node));", "node"),
        ("struct node *p = malloc(16);", "node"),
        ("struct node *p = wrapper(sizeof(struct node));", "node"),
        ("struct node *p = wrapper(16);", "node"),
        ("struct node *p = malloc(4 * sizeof(struct node));", "node[]"),
        ("struct node **p = malloc(sizeof(struct node *));", "node *"),
        ("int *p = malloc(sizeof(int));", "int"),
    ],
)
def test_the_type_of_a_block_comes_from_sizeof_or_use(lowered: Lowered, call: str, type_: str) -> None:
    program = lowered(
        NODE + "void *wrapper(size_t size) { void *p = malloc(size); if (!p) abort(); return p; }\n"
        "int main(void) { " + call + " free(p); return 0; }"
    )
    (new,) = commands(program, New)
    assert new.type == type_


def test_a_block_too_small_for_its_type_keeps_its_size(lowered: Lowered) -> None:
    program = lowered(NODE + "int main(void) { struct node *p = malloc(8); free(p); return 0; }")
    (new,) = commands(program, New)
    assert isinstance(new.size, Const)
    assert new.size.value == 8


def test_a_block_of_unknown_type_gets_one_at_its_first_typed_use(lowered: Lowered) -> None:
    program = lowered(
        NODE + "int main(void) { void *v = malloc(16); struct node *p = v; p->data = 1; free(v); return 0; }"
    )
    assert commands(program, New)[0].type == ""
    assert commands(program, Reinterpret)[0].type == "node"


def test_malloc_may_fail_only_on_request(lowered: Lowered) -> None:
    text = NODE + "int main(void) { free(malloc(sizeof(struct node))); return 0; }"
    assert not commands(lowered(text), New)[0].may_fail
    assert commands(lowered(text, malloc_may_fail=True), New)[0].may_fail


# --- checks -------------------------------------------------------------------------------------------------------


def test_a_dereference_has_its_checks_and_an_assignment_a_leak_check(lowered: Lowered) -> None:
    program = lowered(
        NODE + "int main(void) {\nstruct node *p = malloc(sizeof *p);\np->data = 1;\nfree(p);\nreturn 0; }"
    )
    assert {CheckKind.NULL_DEREF, CheckKind.INVALID_DEREF, CheckKind.USE_AFTER_FREE} <= kinds_at(program, 5)
    assert kinds_at(program, 6) == {CheckKind.DOUBLE_FREE, CheckKind.INVALID_FREE, CheckKind.LEAK}


def test_copies_of_an_inlined_function_share_their_checks(lowered: Lowered) -> None:
    program = lowered(
        NODE + "int get(struct node *p) { return p->data; }\n"
        "int main(void) { struct node n; n.data = 1; return get(&n) + get(&n); }"
    )
    derefs = [edge for edge in program.graph.edges if isinstance(edge.command, LoadData)]
    assert len(derefs) == 2
    assert derefs[0].checks == derefs[1].checks
    assert program.graph.locations[derefs[0].source].calls != program.graph.locations[derefs[1].source].calls


def test_an_assertion_of_one_literal_stays_one(lowered: Lowered) -> None:
    program = lowered("#include <assert.h>\nint main(void) { int i = 1; assert(i < 2); return 0; }")
    (check,) = [a.check for a in commands(program, Assert)]
    assert (check.kind, check.subject) == (CheckKind.ASSERT, "i < 2")


def test_a_shape_assertion_is_a_check_of_its_own_kind(lowered: Lowered) -> None:
    program = lowered(
        '#include <assert.h>\n#include "heapwright.h"\n' + NODE + "int main(void) { struct node *p = 0; "
        "assert(hw_acyclic(p, next)); return 0; }"
    )
    (claim,) = commands(program, Assert)
    assert claim.check.kind is CheckKind.SHAPE
    assert isinstance(claim.literal, ShapeLiteral)
    assert claim.literal.fields == ("next",)


def test_error_functions_are_named_in_their_checks(lowered: Lowered) -> None:
    program = lowered("void reach_error(void) {}\nint main(void) { reach_error(); return 0; }")
    (claim,) = commands(program, Assert)
    assert claim.check.error_function == "reach_error"


# --- calls --------------------------------------------------------------------------------------------------------


def test_recursion_keeps_the_callers_variables_in_records(lowered: Lowered) -> None:
    program = lowered("int f(int n) { if (n <= 0) return 0; return n + f(n - 1); }\nint main(void) { return f(3); }")
    record = program.types["activation of f"]
    assert {"caller", "f::$site"} <= {field.name for field in record.fields}
    assert [new.storage for new in commands(program, New)] == [Storage.STACK]


def test_a_function_pointer_branches_over_the_functions_it_may_hold(lowered: Lowered) -> None:
    program = lowered(
        "int one(void) { return 1; }\nint two(void) { return 2; }\n"
        "int main(void) { int c = 0; int (*f)(void) = c ? one : two; return f(); }"
    )
    kinds = {a.check.kind for a in commands(program, Assert)}
    assert kinds == {CheckKind.NULL_DEREF, CheckKind.INVALID_DEREF}


def test_a_known_function_argument_is_called_directly(lowered: Lowered) -> None:
    program = lowered(
        "int one(void) { return 1; }\nint apply(int (*f)(void)) { return f(); }\nint main(void) { return apply(one); }"
    )
    assert not commands(program, Assert)


def test_inputs_and_external_functions(lowered: Lowered) -> None:
    program = lowered(
        "int __VERIFIER_nondet_int(void);\nint other(void);\n"
        "int main(void) { return __VERIFIER_nondet_int() + other(); }"
    )
    assert [havoc.source for havoc in commands(program, Havoc)] == ["__VERIFIER_nondet_int", "other"]
    assert any("external function 'other'" in assumption.text for assumption in program.assumptions)


def test_a_function_on_its_own_gets_any_heap(lowered: Lowered) -> None:
    program = lowered(NODE + "void f(struct node *p, int n) { if (p) p->data = n; }", function="f")
    assert commands(program, AnyPointer)[0].type == "node"
    assert [havoc.source for havoc in commands(program, Havoc)] == ["parameter n"]
    assert program.entry.any_heap


def test_models_stand_in_for_library_functions(lowered: Lowered) -> None:
    program = lowered('#include <string.h>\nint main(void) { return (int)strlen("ab"); }')
    assert all(edge.span.file.endswith("program.c") for edge in program.graph.edges if edge.checks)


def test_statements_after_a_return_are_gone(lowered: Lowered) -> None:
    program = lowered(NODE + "int main(void) { return 0; free(0); struct node *p = 0; p->data = 1; }")
    assert not commands(program, Free, StoreData)


def test_memory_functions_work_on_whole_objects(lowered: Lowered) -> None:
    program = lowered(
        "#include <string.h>\n" + NODE + "int main(void) { struct node a, b; memset(&a, 0, sizeof a); "
        "memcpy(&b, &a, sizeof b); return b.data; }"
    )
    assert len(commands(program, Store)) == 2
    assert len(commands(program, StoreData)) == 2
    assert len(commands(program, Load)) == 1


def test_data_models_differ_in_sizes(lowered: Lowered) -> None:
    text = NODE + "int main(void) { struct node *p = malloc(sizeof *p); free(p); return sizeof(long) == 4; }"
    assert lowered(text).types["node"].size == 16
    assert lowered(text, model="ILP32").types["node"].size == 8


def test_edges_with_assumes_come_in_pairs(lowered: Lowered) -> None:
    program = lowered("int main(void) { int i = 0; while (i < 3) i++; return i; }")
    assert len(commands(program, Assume)) == 2


# --- refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ('int main(void) { __asm__("hlt"); return 0; }', "inline assembly"),
        ("#include <setjmp.h>\njmp_buf b; int main(void) { return setjmp(b); }", "setjmp"),
        ("int pthread_create(); int main(void) { pthread_create(); return 0; }", "threads"),
        ("int main(void) { double _Complex z = 1.0; return z == 1.0; }", "_Complex"),
        ("typedef int v __attribute__((vector_size(16))); int main(void) { v a = {1}; return a[0]; }", "vector"),
        ("#include <setjmp.h>\njmp_buf b; int main(void) { int i = 0; l: i += setjmp(b); if (i) goto l; }", "setjmp"),
    ],
)
def test_unsupported_constructs_are_checks_with_their_span(lowered: Lowered, body: str, construct: str) -> None:
    program = lowered(body)
    (check,) = [check for check in program.checks if check.unsupported]
    assert construct in check.subject
    assert check.span.line > 0
    assert Goal(frozenset({CheckKind.LEAK})).selects(check)


def test_an_initialised_flexible_array_member_is_refused(lowered: Lowered) -> None:
    text = "struct list { int count; int items[]; } list = {2, {1, 2}}; int main(void) { return list.items[1]; }"
    with pytest.raises(UnsupportedError, match="flexible array member"):
        lowered(text)
    assert lowered(text.replace(", {1, 2}", "").replace("items[1]", "count"))


def test_what_no_call_leads_to_is_no_check(lowered: Lowered) -> None:
    text = "#include <setjmp.h>\njmp_buf b; int f(void) { return setjmp(b); } int main(void) { return 0; }"
    assert not any(check.unsupported for check in lowered(text).checks)


def test_a_statement_that_a_jump_enters_is_left_out_with_its_function(lowered: Lowered) -> None:
    program = lowered(
        "#include <setjmp.h>\njmp_buf b; int f(int n) { if (n) goto l; switch (setjmp(b)) { case 0: l: n--; }"
        "return n; } int main(void) { int x = f(1); int *p = 0; return *p + x; }"
    )
    assert {(check.kind.value, check.unsupported) for check in program.checks} == {("assert", True)}


def test_a_missing_entry_function_is_an_input_error(lowered: Lowered) -> None:
    with pytest.raises(InputError, match="no definition of function 'main'"):
        lowered("int f(void) { return 0; }")


def test_two_definitions_of_one_function_do_not_link(tmp_path: Path) -> None:
    files = [tmp_path / "a.c", tmp_path / "b.c"]
    for file in files:
        file.write_text("int main(void) { return 0; }", encoding="utf-8")
    with pytest.raises(InputError, match="redefinition of"):
        lower([parse(str(file), ParseOptions()) for file in files])


def test_files_link_into_one_program_and_statics_stay_apart(tmp_path: Path) -> None:
    first, second = tmp_path / "a.c", tmp_path / "b.c"
    first.write_text("static int f(void) { return 1; }\nint g(void);\nint main(void) { return f() + g(); }")
    second.write_text("static int f(void) { return 2; }\nint g(void) { return f(); }")
    program = lower([parse(str(file), ParseOptions()) for file in (first, second)])
    assert program.files == (str(first), str(second))
    assert {location.span.file for location in program.graph.locations} == {str(first), str(second)}


# --- speed -----------------------------------------------------------------------------------------------------------


def test_the_work_for_a_thousand_lines_is_bounded(tmp_path: Path) -> None:
    """Declarations of a preprocessed header, then functions that all are called."""
    header = [f"extern int declared_{number}(const char *text, unsigned long size);" for number in range(520)]
    body = [
        "struct node *step_{0}(struct node *list)",
        "{{",
        "    struct node *fresh = malloc(sizeof *fresh);",
        "    fresh->data = {0};",
        "    fresh->next = list;",
        "    if (list && list->data > {0})",
        "        list->data = list->data - 1;",
        "    for (struct node *p = fresh; p; p = p->next)",
        "        p->data++;",
        "    return fresh;",
        "}}",
    ]
    functions = [line.format(number) for number in range(40) for line in body]
    calls = [f"    list = step_{number}(list);" for number in range(40)]
    text = [*header, *NODE.splitlines(), *functions, "int main(void)", "{", "struct node *list = 0;", *calls, "}"]
    file = tmp_path / "large.i"
    file.write_text("\n".join(text), encoding="utf-8")
    assert len(text) >= 1000
    program = lower([parse(str(file), ParseOptions())])  # the first time loads libclang
    with call_budget(1_000_000):
        lower([parse(str(file), ParseOptions())])
    assert len(program.graph.locations) > 500
