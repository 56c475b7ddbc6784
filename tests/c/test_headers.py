"""The built-in headers stand alone, agree with either data model, and heapwright.h means the same to a C compiler.

Every header is parsed by libclang by itself and together with the others, in several dialects, without a diagnostic.
The executable face of heapwright.h is compiled with gcc, where there is one, and run on shapes good and bad.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import clang.cindex as clang
import pytest

import heapwright

PACKAGE = Path(heapwright.__file__).parent
HEADERS = PACKAGE / "c" / "headers"
MODELS = PACKAGE / "c" / "models"
NAMES = sorted(str(path.relative_to(HEADERS)) for path in HEADERS.rglob("*.h"))
TARGETS = {"LP64": "x86_64-unknown-linux-gnu", "ILP32": "i386-unknown-linux-gnu"}
PROMISED = ["stdlib", "stddef", "assert", "stdio", "string", "stdbool", "stdint", "limits", "inttypes", "errno"]
PROMISED += ["ctype", "time", "math", "stdarg", "unistd", "memory", "malloc", "alloca", "strings", "float", "iso646"]
PROMISED += ["stdalign", "stdnoreturn", "sys/types", "heapwright", "getopt", "stdatomic", "wctype", "sys/socket"]
PROMISED += ["netinet/in", "arpa/inet", "netdb", "dirent", "sys/wait", "fenv"]
PROMISED += ["sys/ptrace", "sys/epoll", "sys/shm", "sys/statvfs", "net/if", "ftw", "iconv", "libintl", "spawn"]

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")


def diagnostics(text: str, model: str = "LP64", dialect: str = "gnu17", extra: tuple[str, ...] = ()) -> list[str]:
    arguments = ["-nostdinc", "-isystem", str(HEADERS), f"-std={dialect}", f"--target={TARGETS[model]}", "-Wall"]
    unit = clang.Index.create().parse(
        "test.c", args=[*arguments, "-Wsystem-headers", *extra], unsaved_files=[("test.c", text)]
    )
    return [str(diagnostic) for diagnostic in unit.diagnostics]


def test_every_header_that_programs_expect_is_there() -> None:
    assert {f"{name}.h" for name in PROMISED} <= set(NAMES)


@pytest.mark.parametrize("model", TARGETS)
@pytest.mark.parametrize("name", NAMES)
def test_a_header_parses_by_itself_and_twice(name: str, model: str) -> None:
    assert diagnostics(f"#include <{name}>\n#include <{name}>\nint main(void) {{ return 0; }}\n", model) == []


@pytest.mark.parametrize("dialect", ["gnu99", "c11", "gnu11", "gnu17"])
@pytest.mark.parametrize("model", TARGETS)
@pytest.mark.parametrize("face", [(), ("-D__HEAPWRIGHT__",)], ids=["compiler", "heapwright"])
def test_all_headers_go_together(dialect: str, model: str, face: tuple[str, ...]) -> None:
    extra = ("-Wno-typedef-redefinition",)  # C99 knows no repeated typedef; compilers accept it in system headers
    for order in (NAMES, NAMES[::-1]):
        text = "".join(f"#include <{name}>\n" for name in order)
        assert diagnostics(text, model, dialect, face + extra) == []


@pytest.mark.parametrize(("model", "word"), [("LP64", 8), ("ILP32", 4)])
def test_the_data_model_decides_sizes_and_limits(model: str, word: int) -> None:
    text = f"""
        #include <stdint.h>
        #include <stddef.h>
        #include <limits.h>
        #include <sys/types.h>
        _Static_assert(sizeof(size_t) == {word} && sizeof(long) == {word} && sizeof(void *) == {word}, "");
        _Static_assert(sizeof(intptr_t) == {word} && sizeof(ssize_t) == {word}, "");
        _Static_assert(sizeof(int64_t) == 8 && sizeof(uint16_t) == 2 && sizeof(int) == 4, "");
        _Static_assert(LONG_MAX == ({"INT64_MAX" if word == 8 else "INT32_MAX"}), "");
        _Static_assert(ULONG_MAX == SIZE_MAX && SIZE_MAX == UINTPTR_MAX && INT_MIN < 0 && UCHAR_MAX == 255, "");
        _Static_assert(INT64_C(1) << 40 == 1LL << 40 && UINT64_MAX == ULLONG_MAX, "");
        struct pair {{ char c; void *p; }};
        _Static_assert(offsetof(struct pair, p) == {word}, "");
    """
    assert diagnostics(text, model) == []


def test_assert_calls_the_failure_by_name_and_honours_ndebug() -> None:
    source = "#include <assert.h>\nvoid f(int *p) { assert(p != 0 && *p); }\n"
    text = {}
    for flag in ("-UNDEBUG", "-DNDEBUG"):
        arguments = ["-nostdinc", "-isystem", str(HEADERS), flag]
        unit = clang.Index.create().parse("test.c", args=arguments, unsaved_files=[("test.c", source)])
        assert not list(unit.diagnostics)
        names = {cursor.spelling for cursor in unit.cursor.walk_preorder() if cursor.kind.name == "CALL_EXPR"}
        text[flag] = names
    assert text == {"-UNDEBUG": {"__heapwright_assert_fail"}, "-DNDEBUG": set()}


# A model has the parameters of its function, also those that make no difference.
EXTRA = ("-D__HEAPWRIGHT__", "-Wextra", "-Wno-unused-parameter", f"-I{MODELS}")


@pytest.mark.parametrize("model", TARGETS)
@pytest.mark.parametrize("path", sorted(MODELS.rglob("*.c")), ids=lambda path: str(path.relative_to(MODELS)))
def test_models_parse_without_a_diagnostic(path: Path, model: str) -> None:
    assert diagnostics(path.read_text(), model, extra=EXTRA) == []


# --- heapwright.h under an ordinary compiler -------------------------------------------------------------------------

DECLARATIONS = """
#include <assert.h>
#include <stdio.h>
#include "heapwright.h"
struct node { struct node *next, *prev; int key; unsigned char small; long long wide; unsigned natural; _Bool bit; };
struct tree { char pad; struct tree *left, *right; };
"""

SHAPES = (
    DECLARATIONS
    + """
static struct node n[9];
static void chain(int count, int back)  /* 0 -> 1 -> ... -> count-1 -> back, null for a negative one */
{
    for (int i = 0; i < count; i++) {
        n[i].next = i + 1 < count ? &n[i + 1] : back < 0 ? NULL : &n[back];
        n[i].prev = i ? &n[i - 1] : NULL;
    }
}
int main(void)
{
    struct node *none = NULL;
    assert(hw_acyclic(none, next) && hw_cyclic(none, next) && hw_dll(none, next, prev));
    assert(hw_reach(none, none, next) && !hw_reach(none, n, next) && hw_disjoint(none, none, next));
    for (int count = 1; count <= 8; count++)
        for (int back = -1; back < count; back++) {
            chain(count, back);
            for (int i = 0; i < count; i++) {
                assert(hw_acyclic(&n[i], next) == (back < 0));
                assert(hw_cyclic(&n[i], next) == (back >= 0 && back <= i));
                assert(hw_reach(&n[i], none, next) == (back < 0));
                assert(hw_dll(&n[i], next, prev) == (back < 0));
                assert(!hw_reach(&n[i], &n[8], next));
                for (int j = 0; j < count; j++) {
                    assert(hw_reach(&n[i], &n[j], next) == (i <= j || (back >= 0 && back <= j)));
                    assert(!hw_disjoint(&n[i], &n[j], next));
                }
            }
        }
    chain(8, -1);
    n[3].next = NULL;
    assert(hw_disjoint(&n[0], &n[4], next) && hw_disjoint(&n[6], &n[3], next) && !hw_disjoint(&n[1], &n[2], next));
    n[2].prev = &n[0];
    assert(!hw_dll(&n[0], next, prev) && hw_dll(&n[2], next, prev));

    chain(3, -1);
    n[0].key = -5; n[1].key = 0; n[2].key = 0;
    n[0].small = 3; n[1].small = 200; n[2].small = 255;
    n[0].wide = -(1LL << 40); n[1].wide = 7; n[2].wide = 1LL << 41;
    n[0].natural = 1; n[1].natural = 0x7fffffff; n[2].natural = 0xffffffff;
    n[0].bit = 0; n[1].bit = 1; n[2].bit = 1;
    assert(hw_sorted(n, next, key) && hw_sorted(n, next, small) && hw_sorted(n, next, wide));
    assert(hw_sorted(n, next, natural) && hw_sorted(n, next, bit) && hw_sorted(none, next, key));
    assert(!hw_sorted_down(n, next, key) && !hw_sorted_down(n, next, bit) && hw_sorted_down(&n[1], next, key));
    n[2].key = -1; n[1].small = 2; n[2].wide = -1; n[2].natural = 0; n[2].bit = 0;
    assert(!hw_sorted(n, next, key) && !hw_sorted(n, next, small) && !hw_sorted(n, next, wide));
    assert(!hw_sorted(n, next, natural) && !hw_sorted(n, next, bit) && hw_sorted(&n[2], next, bit));
    assert(hw_sorted_down(&n[1], next, key) && hw_sorted_down(&n[1], next, wide) && hw_sorted_down(none, next, key));
    assert(!hw_sorted_down(n, next, key) && hw_sorted_down(&n[1], next, natural));
    n[2].next = n;
    n[0].key = n[1].key = n[2].key = 0;
    assert(!hw_sorted(n, next, key) && hw_all_reachable(n, next));
    assert(!hw_sorted_down(n, next, key) && hw_all_reachable_from(n, none, next));

    struct tree t[4] = {{0, &t[1], &t[2]}, {0, NULL, &t[3]}, {0, NULL, NULL}, {0, NULL, NULL}}, *leafless = NULL;
    assert(hw_tree(&t[0], left, right) && hw_tree(leafless, left, right));
    t[2].left = &t[3];
    assert(!hw_tree(&t[0], left, right) && hw_tree(&t[1], left, right));
    t[2].left = NULL;
    t[3].right = &t[0];
    assert(!hw_tree(&t[0], left, right) && !hw_tree(&t[3], left, right));
    hw_assume(none != NULL);
    puts("an assumption that is false ends the run");
}
"""
)

INPUTS = (
    DECLARATIONS
    + """
#include <stdarg.h>
void *hw_input(const char *shape, ...)
{
    static struct node one;
    va_list fields;
    va_start(fields, shape);
    printf("%s", shape);
    for (const char *name; (name = va_arg(fields, const char *)) != NULL;)
        printf(" %s", name);
    puts("");
    va_end(fields);
    return &one;
}
int hw_input_int(void) { return 7; }
int other(struct node *list);
int main(void)
{
    struct node *a = hw_any_list(next), *b = hw_any_dll(next, prev), *c = hw_any_cyclic(next), *d = hw_any();
    struct tree *t = hw_any_tree(left, right);
    return !(other(a) && b && c && d && t && hw_any_int() == 7);
}
"""
)

OTHER = DECLARATIONS + "int other(struct node *list) { hw_assume(list); return hw_acyclic(list, next); }\n"


@pytest.fixture
def compiler_folder(tmp_path: Path) -> Path:
    shutil.copy(HEADERS / "heapwright.h", tmp_path)
    return tmp_path


def build_and_run(folder: Path, dialect: str, *sources: str) -> str:
    files = []
    for number, source in enumerate(sources):
        files.append(folder / f"part{number}.c")
        files[-1].write_text(source)
    program = folder / "program"
    command = ["gcc", f"-std={dialect}", "-Wall", "-Wextra", "-Werror", "-I", str(folder), "-o", str(program), "-g"]
    built = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=20, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@needs_gcc
@pytest.mark.parametrize("dialect", ["c11", "gnu17"])
def test_predicates_mean_what_they_say(compiler_folder: Path, dialect: str) -> None:
    assert build_and_run(compiler_folder, dialect, SHAPES) == ""


@needs_gcc
@pytest.mark.parametrize("dialect", ["c11", "gnu17"])
def test_inputs_come_from_the_one_who_links_and_several_files_may_include(compiler_folder: Path, dialect: str) -> None:
    expected = ["list next", "dll next prev", "cyclic next", "any", "tree left right"]
    assert build_and_run(compiler_folder, dialect, INPUTS, OTHER).splitlines() == expected


@needs_gcc
def test_the_folder_of_headers_does_not_hide_those_of_the_compiler(tmp_path: Path) -> None:
    source = tmp_path / "list.c"
    source.write_text(OTHER.replace('"heapwright.h"', "<heapwright.h>"))
    command = ["gcc", "-c", "-Wall", "-Werror", "-idirafter", str(HEADERS), "-o", str(tmp_path / "list.o"), str(source)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
