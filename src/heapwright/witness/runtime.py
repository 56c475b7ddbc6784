"""The text before the program in a C test: the choices of the run as C tables, the runtime, and the macros that
redirect library functions to it.

The runtime (runtime.c) defines `hw_test_of_malloc` and the like; the macros rename the program's `malloc`, in its own
declarations and in those of the system's headers alike:

>>> renames(["malloc"]).strip()
'#define malloc hw_test_of_malloc'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from heapwright.program.checks import LEAK_KINDS, CheckKind
from heapwright.program.graph import Program
from heapwright.program.trace import Choice, Run, Violation
from heapwright.witness.source_text import Scan, c_string, scan

# Stack frames in a file of this name belong to the test, not to the program.
RUNTIME_FILE = "heapwright-test-runtime.c"

# Functions that runtime.c defines unless the program does.
HANDLED = (
    "malloc",
    "calloc",
    "realloc",
    "free",
    "kmalloc",
    "kfree",
    "strdup",
    "strndup",
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "__VERIFIER_assume",
    "__VERIFIER_error",
    "reach_error",
    "__assert_fail",
    "__heapwright_assert_fail",
)

# Functions of the test whose name differs from Choice.source of their results.
_ALIASES = {"hw_input_int": ("hw_any_int", "__hw_any_int")}

# Result types for programs that do not declare these functions; "()" is compatible with every declaration.
_DECLARATIONS = {
    "malloc": "void *",
    "calloc": "void *",
    "realloc": "void *",
    "strdup": "char *",
    "strndup": "char *",
    "free": "void ",
    "exit": "void ",
    "abort": "void ",
    "reached": "void ",
}

_LIBRARY_PREFIXES = ("__builtin_", "__isoc", "__ctype_", "_IO_", "__errno_", "__sanitizer_", "hw_")

# Size of an input object without a type.
_UNTYPED_SIZE = 1 << 16

# Sources of choices that are not results of functions.
_NOT_CALLS = frozenset(["malloc", "uninitialised", "address", "input pointer", "input data", "approximation", ""])


@cache
def runtime_text() -> str:
    return resources.files("heapwright.witness").joinpath("runtime.c").read_text(encoding="utf-8")


@cache
def specification_header() -> str:
    """heapwright.h for an ordinary compiler, with the predicates that only a test can evaluate."""
    text = resources.files("heapwright.c").joinpath("headers/heapwright.h").read_text(encoding="utf-8")
    return (
        f"{text}\n#undef hw_all_reachable\nint hw_test_of_hw_all_reachable_();\n"
        "#define hw_all_reachable(x, next) hw_test_of_hw_all_reachable_((x), (void *)0, hw_field_(x, next))\n"
        "#undef hw_all_reachable_from\n"
        "#define hw_all_reachable_from(x, y, next) hw_test_of_hw_all_reachable_((x), (y), hw_field_(x, next))\n"
    )


@cache
def library_functions() -> frozenset[str]:
    """The C library functions that a test calls directly: those that the bundled headers declare."""
    folder = resources.files("heapwright.c").joinpath("headers")
    names: set[str] = set()
    for header in folder.iterdir():
        if header.name.endswith(".h") and header.name != "heapwright.h":
            names |= scan(header.read_text(encoding="utf-8")).declared
    return frozenset(names)


def stubbed(run: Run, scans: Iterable[Scan]) -> list[str]:
    """Functions that are stubbed with the results of the run: those with a choice, and undefined ones."""
    found = list(scans)
    defined = {name for each in found for name in each.defined}
    elsewhere = {name for each in found for name in each.objects | each.macros}
    with_choice = {c.source for c in run.choices if c.source not in _NOT_CALLS and c.source.isidentifier()}
    undefined = {
        name
        for each in found
        for name in (each.called | (each.declared & each.mentioned)) - elsewhere - library_functions()
        if not name.startswith(_LIBRARY_PREFIXES)
    }
    aliases = {alias for names in _ALIASES.values() for alias in names}
    return sorted((with_choice - aliases | undefined) - defined - set(HANDLED)) + list(_ALIASES)


def renames(names: Iterable[str]) -> str:
    return "".join(f"#define {name} hw_test_of_{name}\n" for name in names)


def prelude(run: Run, scans: Iterable[Scan]) -> str:
    """The text directly before each file of the program."""
    found = list(scans)
    taken = {name for each in found for name in each.declared} | {"reached"}
    known = any(each.headers & {"stdlib.h", "string.h", "malloc.h"} for each in found)
    declarations = [
        f"{result}hw_test_of_{name}();\n"
        for name, result in _DECLARATIONS.items()
        if name == "reached" or (not known and name not in taken)
    ]
    # Uninitialised variables are 0 if all their choices are 0, else they hold a pattern.
    scalars = [c.value for c in run.choices if c.source == "uninitialised" and c.block < 0]
    fill = "zero" if scalars and not any(scalars) else "pattern"
    return (
        f'#pragma GCC optimize ("trivial-auto-var-init={fill}")\n'
        + "".join(declarations)
        + renames(["main", *HANDLED, "hw_input", *stubbed(run, found)])
    )


def preamble(program: Program, run: Run, violation: Violation, scans: Iterable[Scan]) -> str:
    """Tables and runtime, once at the beginning of the test."""
    found = list(scans)
    leak = violation.check.kind in LEAK_KINDS
    own = sorted({name for each in found for name in each.defined if name in HANDLED})
    aliases = {alias: name for name, names in _ALIASES.items() for alias in names}
    return "".join(
        [
            f"#line 1 {c_string(RUNTIME_FILE)}\n",
            f"#define HW_TEST_LEAK {violation.block if leak else -1}\n",
            f"#define HW_TEST_CLEANUP {int(violation.check.cleanup)}\n",
            f"#define HW_TEST_SECONDS {3 if leak else 10}\n",
            # the leak search scans the real stack, not ASan's fake one
            f"#define HW_TEST_USE_AFTER_RETURN {int(violation.check.kind is CheckKind.INVALID_DEREF)}\n",
            "#define HW_TEST_CALLS_FUNCTION\n" if program.entry.any_heap else "",
            f"#define HW_TEST_ARGUMENT_COUNT {_argument_count(run)}\n",
            "".join(f"#define HW_TEST_OWN_{name}\n" for name in own),
            _choice_table(run, aliases),
            _field_table(run),
            _input_table(program, run),
            runtime_text(),
            "".join(f"HW_TEST_STUB({name}, {c_string(name)})\n" for name in stubbed(run, found)),
        ]
    )


def _argument_count(run: Run) -> int:
    """The first argument of main, whatever its parameter is called."""
    return next((c.value for c in run.choices if c.source.startswith("parameter ")), 1)


def _number(value: int) -> str:
    """A C constant for any 64-bit value, signed or unsigned."""
    value &= (1 << 64) - 1
    return f"(long long)0x{value:x}ULL" if value > 0x7FFFFFFF else str(value)


def _target(choice: Choice) -> int:
    return choice.target if choice.source == "input pointer" and choice.value else -1


def listed_choices(run: Run) -> list[Choice]:
    """The choices in the table of results, in order: all but the contents of memory."""
    return [c for c in run.choices if c.block < 0 and c.source not in ("uninitialised", "address", "approximation", "")]


def _choice_table(run: Run, aliases: Mapping[str, str]) -> str:
    rows = [
        f"    {{{c_string(aliases.get(c.source, c.source))}, {c.span.line}, {_number(c.value)}, "
        f"{_target(c)}, {c.target_offset}, 0}},\n"
        for c in listed_choices(run)
    ]
    return (
        "static struct hw_test_choice { const char *source; int line; long long value; int target, target_offset; "
        "int used; } hw_test_choices[] = {\n" + "".join(rows) + "    {0}};\n"
    )


def _field_table(run: Run) -> str:
    rows = [
        f"    {{{c.block}, {c.offset}, {c.size}, {_number(c.value)}, {_target(c)}, {c.target_offset}}},\n"
        for c in run.choices
        if c.block >= 0 and c.size > 0 and c.source in ("uninitialised", "input pointer", "input data")
    ]
    return (
        "static const struct hw_test_field { int block; __SIZE_TYPE__ offset, size; long long value; "
        "int target, target_offset; } hw_test_fields[] = {\n" + "".join(rows) + "    {0}};\n"
    )


def _input_table(program: Program, run: Run) -> str:
    """The objects of the input heap, each by the choice that created it (value 1)."""
    rows: dict[int, str] = {}
    for choice in run.choices:
        if _target(choice) >= 0 and choice.value == 1:
            size = program.types[choice.type].size if choice.type in program.types else _UNTYPED_SIZE
            where = c_string(f"{choice.span.file}:{choice.span.line}")
            rows[choice.target] = f"    {{{choice.target}, {max(size, 1)}, {where}}},\n"
    return (
        "static const struct hw_test_input { int block; __SIZE_TYPE__ size; const char *place; } hw_test_inputs[] = {\n"
        + "".join(rows[block] for block in sorted(rows))
        + "    {0}};\n"
    )
