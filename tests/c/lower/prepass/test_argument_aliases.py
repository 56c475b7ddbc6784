"""Strings of `argv` that something may have written, or that are no strings of `argv` any more, may have no end."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import CheckKind, Goal
from heapwright.result.outcomes import Verdict

PRELUDE = """#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char raw[2] = {'1', '2'};
static int number(const char *text) { return atoi(text); }
static void put(char **cell, char *text) { *cell = text; }
static void scrub(void *memory, size_t words) { unsigned *word = memory; while (words--) *word++ = ~0u; }
static char *same(char *text) { return text; }
static long strtohere(const char *text, char **end) { *end = raw; return text[0]; }
struct named { char *name; };
static struct named kept;
static char *held;
"""

BROKEN = [
    "memset(argv[1], 'x', strlen(argv[1]) + 1);",
    "argv[1] = malloc(1);",
    "argv[1] = raw;",
    "char b[2]; memcpy(b, raw, 2); argv[1] = b;",
    'if (strlen(argv[1]) < 5) memcpy(argv[1], "abcdef", strlen(argv[1]) + 1);',
    "if (read(0, argv[1], strlen(argv[1]) + 1) < 0) return 1;",
    "char **p = argv; p++; *p = malloc(1);",
    "put(&argv[1], raw);",
    "put(argv + 1, raw);",
    "*(argv + 1) = raw;",
    "char **p[1] = {argv}; p[0][1] = raw;",
    "char ***p = &argv; (*p)[1] = raw;",
    "char *own[3] = {raw, raw, 0}; argv = own;",
    "memcpy(&argv[1], &(char *){raw}, sizeof(char *));",
    "argv[1][strlen(argv[1])] = 'x';",
    "argv[1][strlen(argv[1])]++;",
    "if (strlen(argv[1]) == 3) *(int *)argv[1] = -1;",
    "if (strlen(argv[1]) == 3) scrub(argv[1], 1);",
    "kept.name = argv[1]; memset(kept.name, 1, strlen(kept.name) + 1);",
    "held = argv[1]; memset(held, 1, strlen(held) + 1);",
    "struct named one = {argv[1]}; memset(one.name, 1, strlen(one.name) + 1);",
    "char *p = same(argv[1]); memset(p, 1, strlen(p) + 1);",
    "memset(same(argv[1]), 1, strlen(argv[1]) + 1);",
    "char *p = strchr(argv[1], 0); memset(p, 1, 1);",
    "char *p = strrchr(argv[1], argv[1][0]); if (p) memset(p, 1, strlen(p) + 1);",
    "char *end; strtol(argv[1], &end, 10); memset(end, 1, strlen(end) + 1);",
    "strtohere(argv[1], &argv[1]);",
    "char *p = ({ char *q = argv[1]; q; }); memset(p, 1, strlen(p) + 1);",
    "char *p; memset((p = argv[1]), 1, strlen(argv[1]) + 1);",
    "char *p = argc > 2 ? argv[2] : argv[1]; memset(p, 1, strlen(p) + 1); if (argc > 2) return 0;",
    "char *p = (0, argv[1]); memset(p ?: raw, 1, strlen(p) + 1);",
    "static char *p; p = argv[1]; memset(p, 1, strlen(p) + 1);",
    "char *volatile p = argv[1]; char *volatile *q = &p; memset(*q, 1, strlen(p) + 1);",
    'scanf("%c", argv[1] + strlen(argv[1]));',
    "sprintf(argv[1] + strlen(argv[1]), \"%c\", 'x'); memset(argv[1] + strlen(argv[1]), 'y', 1);",
    'char b[99], *s = argv[1]; sprintf(b, "%55d%hhn", argc, s);',
    'char b[99], *s = argv[1]; const char *f = "%55d%hhn"; sprintf(b, f, argc, s);',
    "argv[1]++; argv[1] += strlen(argv[1]); argv[1]++;",
    "(*++argv)++; argv--; argv[1] += strlen(argv[1]) + 1;",
    "void *p = argv[1]; unsigned char *q = p; memset(q, 1, strlen(argv[1]) + 1);",
    "char *p = (char *)(unsigned long)argv[1]; memset(p, 1, strlen(argv[1]) + 1);",
    "char *(*f)(char *) = same; char *p = f(argv[1]); memset(p, 1, strlen(p) + 1);",
    "void (*f)(char **, char *) = put; f(argv + 1, raw);",
    "void *(*f)(void *, int, size_t) = memset; f(argv[1], 1, strlen(argv[1]) + 1);",
]


def verdict(folder: Path, text: str) -> str:
    file = folder / "a.c"
    file.write_text(text, encoding="utf-8")
    program = build(Input((str(file),)), phase=lambda _: None)
    goal = Goal(kinds=frozenset(CheckKind) - {CheckKind.LEAK})
    result = analyze(program, goal, "explore", Limits(states=3_000), NullProgress())
    found = {one.verdict for one in result.outcomes}
    if Verdict.VIOLATED in found:
        return "unsafe"
    return "safe" if found <= {Verdict.PROVED} and result.complete else "unknown"


@pytest.mark.parametrize("reader", ["number(argv[1])", 'printf("%s\\n", argv[1])'])
@pytest.mark.parametrize("body", BROKEN)
def test_strings_without_an_end(tmp_path: Path, body: str, reader: str) -> None:
    text = f"{PRELUDE}int main(int argc, char **argv) {{ if (argc < 2) return 0; {body} {reader}; return 0; }}\n"
    assert verdict(tmp_path, text) != "safe"


@pytest.mark.parametrize(
    "declaration",
    [
        "extern void poll_all(void);\nstatic void call(void) { poll_all(); }",
        "extern void (*hook)(void);\nstatic void call(void) { hook(); }",
        "extern void poll_all(void);\nstatic void call(void) { void (*f)(void) = poll_all; f(); }",
    ],
)
def test_external_functions_may_write_them(tmp_path: Path, declaration: str) -> None:
    main = "int main(int argc, char **argv) { if (argc < 2) return 0; call(); return number(argv[1]); }"
    assert verdict(tmp_path, f"{PRELUDE}{declaration}\n{main}\n") != "safe"


@pytest.mark.parametrize("call", ["printf(argv[1]);", "fprintf(stdout, argc > 2 ? argv[2] : argv[1]);"])
def test_a_string_as_a_format_may_ask_for_anything(tmp_path: Path, call: str) -> None:
    text = f"{PRELUDE}int main(int argc, char **argv) {{ if (argc < 2) return 0; {call} return 0; }}\n"
    assert verdict(tmp_path, text) != "safe"


KEPT = [
    "char b[4]; for (int i = 0; i < 4; i++) b[i] = 'x'; memset(b, 0, 4);",
    "char *b = calloc(4, 1); b[0] = argv[1][0]; memset(b, 1, 3); free(b);",
    "char *swapped = argv[0]; argv[0] = argv[1]; argv[1] = swapped;",
    'argv[1] = "7";',
    "put(argv + 1, argv[0]);",
    "const char *p = same(argv[1]); if (p == argv[1] || !p || p - argv[1] > 3) return 1;",
    "char *p = argv[1]; p++; if (argv[1] && p) number(argv[0]);",
    "char **p = &argv[1]; while (p > argv) p--; kept.name = raw; held = kept.name;",
    'char b[3]; snprintf(b, sizeof b, "%d", argc); puts(b);',
    '(void)argv[0]; number(argc > 1 ? argv[1] : "1");',
    "raw[0] = raw[1]; memset(raw, 'c', 2); scrub(&argc, 0);",
]


@pytest.mark.parametrize("body", KEPT)
def test_strings_that_keep_their_ends(tmp_path: Path, body: str) -> None:
    text = f"{PRELUDE}int main(int argc, char **argv) {{ if (argc < 2) return 0; {body} return number(argv[1]); }}\n"
    assert verdict(tmp_path, text) == "safe"


def test_the_length_of_a_literal_ends_at_its_first_zero(tmp_path: Path) -> None:
    text = """int main(int argc, char **argv) {
        const char *name = "a\\0bcd"; if (argc > 1) name = argv[1];
        assert(argc > 1 || strlen(name) LENGTH); return 0; }"""
    assert verdict(tmp_path, PRELUDE + text.replace("LENGTH", "== 1")) != "unsafe"
    assert verdict(tmp_path, PRELUDE + text.replace("LENGTH", "!= 1")) == "unsafe"
    assert verdict(tmp_path, PRELUDE + text.replace("LENGTH", "== 4")) == "unsafe"


LOOKS = [
    "if (strcmp(argv[1], \"-v\") == 0) assert(argv[1][0] == '-');",
    "if (atoi(argv[1]) == 7) assert(argv[1][0] != 'x');",
    "assert(atoi(argv[1]) == atoi(argv[1]));",
    'if (!strcmp(argv[1], "a")) return 0; assert(strcmp(argv[1], "a"));',
    'if (!strcmp(argv[1], "a")) assert(strcmp(argv[1], "b"));',
    'if (strlen(argv[1]) > 0) assert(strcmp(argv[1], "") != 0);',
    'assert(strcmp(argv[1], "") >= 0);',
    'assert(strncmp(argv[1], "a", 0) == 0);',
    'if (!strcmp(argv[1], "-o")) return argv[1][2];',
    "const char *p = argv[1]; if (atoi(p) == 7) assert(argv[1][0] != 'x');",
    "char b[9]; if (strlen(argv[1]) > 8) return 0; strcpy(b, argv[1]); if (atoi(argv[1]) == 7) assert(b[0] != 'x');",
    "int n[2]; for (int i = 0; i < 2; i++) n[i] = atoi(argv[1]); assert(n[0] == n[1]);",
    "argv[0] = argv[1]; assert(atoi(argv[0]) == atoi(argv[1]));",
    "int n = atoi(argv[1]); argv++; assert(atoi(argv[0]) == n);",
    "assert(number(argv[1]) == number(argv[1]));",
    'if (printf("%s", argv[1]) == 0) assert(atoi(argv[1]) == 0);',
    'char b[90]; if (strlen(argv[0]) < 9) sprintf(b, "%s", argv[0]); if (atoi(argv[0])) assert(*b != 120);',
    "jmp_buf at; static int n, old; old = n; setjmp(at); n = atoi(argv[1]); assert(!old || n == old); longjmp(at, 1);",
    "int n = atoi(argv[1]); argv[1] = argv[0]; assert(n == 0 || argv[1] == argv[0]);",
    'int n; if (sscanf(argv[1], "%d", &n) == 1) assert(atoi(argv[1]) == n);',
]


@pytest.mark.parametrize("body", LOOKS)
def test_looks_at_one_string_agree(tmp_path: Path, body: str) -> None:
    text = f"{PRELUDE}int main(int argc, char **argv) {{ if (argc < 2) return 0; {body} return 0; }}\n"
    assert verdict(tmp_path, text) != "unsafe"


@pytest.mark.parametrize(
    "body",
    [
        "assert(atoi(argv[1]) != 7);",
        'if (!strcmp(argv[1], "-v")) { puts(argv[1]); assert(0); }',
        "if (argc > 2 && atoi(argv[1]) == 3) assert(strtol(argv[2], 0, 10) < 4);",
    ],
)
def test_what_a_string_may_say_is_an_input(tmp_path: Path, body: str) -> None:
    text = f"{PRELUDE}int main(int argc, char **argv) {{ if (argc < 2) return 0; {body} return 0; }}\n"
    assert verdict(tmp_path, text) == "unsafe"
