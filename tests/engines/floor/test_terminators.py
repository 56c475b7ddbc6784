"""Strings: loops that stop at a zero stay in the array, as long as the zero is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.floor.test_engine import left_open, program_of

from heapwright.analysis.judgement import run_engine
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import CheckKind, Goal
from heapwright.proof.audit import audit

PROVED = {
    "the length of what was written": """
    char text[20]; int n = __VERIFIER_nondet_int(); int i;
    for (i = 0; i < n && i < 19; i++) text[i] = 'a';
    text[i] = 0;
    return (int)strlen(text);""",
    "a copy as long as its original": """
    char text[20]; int n = __VERIFIER_nondet_int(); int i;
    for (i = 0; i < n && i < 19; i++) text[i] = 'a';
    text[i] = 0;
    char *copy = malloc(strlen(text) + 1);
    if (copy) { strcpy(copy, text); copy[strlen(copy)] = 0; free(copy); }
    return 0;""",
    "a pointer that stops at a character, and goes on behind it": """
    char text[] = "some words"; char *p = text;
    while (*p && *p != ' ') p++;
    if (*p == ' ') *p++ = 0;
    while (*p) p++;
    return *p;""",
    "characters replaced where they are not the last": """
    char text[] = "some words";
    for (int i = 0; text[i]; i++) if (text[i] == ' ') text[i] = '_';
    return (int)strlen(text);""",
    "names in a table": """
    static struct { char name[8]; int n; } table[4];
    for (int i = 0; i < 4; i++) { strncpy(table[i].name, "abcdefghijk", 7); table[i].name[7] = 0; }
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += (int)strlen(table[i].name);
    return sum;""",
    "words in a list": """
    struct word { struct word *next; char *text; } *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct word *w = malloc(sizeof *w); w->text = malloc(4);
        strcpy(w->text, i ? "ab" : "abc"); w->next = list; list = w;
    }
    int sum = 0;
    for (struct word *w = list; w; w = w->next) {
        char *text = w->text;
        char *copy = malloc(strlen(text) + 1);
        strcpy(copy, text); sum += copy[0]; free(copy);
    }
    return sum;""",
    "a line that was read, if it was": """
    char line[16]; int ok;
    if (__VERIFIER_nondet_int()) { line[0] = 'a'; line[1] = 0; ok = 1; } else ok = 0;
    if (!ok) return 1;
    return (int)strlen(line);""",
    "a scanner that keeps its place in a struct": """
    struct scanner { const char *at; } scanner; char line[12] = "12 + (3)"; int sum = 0;
    line[__VERIFIER_nondet_int() == 0] = '(';
    scanner.at = line; line[9] = 0;
    struct scanner *s = &scanner;
    while (*s->at) {
        while (*s->at == ' ') s->at++;
        if (*s->at >= '0' && *s->at <= '9') sum += *s->at++ - '0';
        else if (*s->at) s->at++;
    }
    return sum;""",
    "a prefix that ends before the string does": """
    char text[] = "-v"; char *a = text; a[1] = (char)__VERIFIER_nondet_int();
    if (a[0] == '-' && a[1] == 'x' && a[2] == 0) return 1;
    return 0;""",
}

OPEN = {
    "a zero overwritten through a pointer that may lead to either array, before a zero that it wrote": """
    char one[11], other[11]; int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 0 || n > 10 || k < 0 || k > 9) return 0;
    memset(one, 'x', 11); memset(other, 'y', 11);
    other[10] = 0; one[n] = 0;
    char *p = one;
    if (__VERIFIER_nondet_int()) p = other;
    p[10] = 0; p[k] = 'x';
    char *text = one, *copy = malloc(n + 1); int i = 0;
    while (text[i]) { copy[i] = text[i]; i++; }
    free(copy);
    return 0;""",
    "the zero was overwritten": """
    char text[4] = "abc"; text[3] = 'd';
    return (int)strlen(text);""",
    "the zero was overwritten by another name": """
    char text[4] = "abc"; char *p = text; p += 3; *p = 'd';
    return (int)strlen(text);""",
    "the zero was overwritten where an index may be": """
    char text[4] = "abc"; unsigned i = (unsigned)__VERIFIER_nondet_int(); if (i > 3) return 0;
    text[i] = 'd';
    return (int)strlen(text);""",
    "a line that was not read": """
    char line[16]; int ok;
    if (__VERIFIER_nondet_int()) { line[0] = 'a'; line[1] = 0; ok = 1; } else ok = 0;
    if (ok) return 1;
    return (int)strlen(line);""",
    "a scanner that is behind the zero": """
    struct scanner { const char *at; } scanner; char line[4] = "12";
    scanner.at = line; struct scanner *s = &scanner;
    while (*s->at) s->at++;
    s->at++; s->at++;
    return *s->at;""",
    "a scanner whose text was overwritten": """
    struct scanner { const char *at; } scanner; char line[4] = "123";
    scanner.at = line; struct scanner *s = &scanner;
    line[3] = '4';
    while (*s->at) s->at++;
    return 0;""",
    "a scanner that was given another text": """
    struct scanner { const char *at; } scanner; char line[4] = "123", other[2]; other[0] = other[1] = 'a';
    scanner.at = line; struct scanner *s = &scanner;
    if (*s->at) s->at = other;
    while (*s->at) s->at++;
    return 0;""",
    "a struct was overwritten by another": """
    struct named { char name[4]; int n; } a = {"abc", 1}, b;
    memset(&b, 'A', sizeof b); a = b;
    return (int)strlen(a.name);""",
    "a block that shrinks": """
    char *text = malloc(4); if (!text) return 0;
    strcpy(text, "abc"); text = realloc(text, 3); if (!text) return 0;
    int n = (int)strlen(text); free(text); return n;""",
    "a string of the caller that was made longer": """
    char text[4] = "abc"; char *both[2]; both[0] = text; both[1] = text + 3;
    both[__VERIFIER_nondet_int() == 1][0] = 'B';
    return (int)strlen(text);""",
    "no cells at all": """
    int n = __VERIFIER_nondet_int(); if (n < 0 || n > 9) return 0;
    char *text = calloc(n, 1); if (!text) return 0;
    int length = (int)strlen(text); free(text); return length;""",
    "there never was a zero": """
    char text[4]; for (int i = 0; i < 4; i++) text[i] = 'a';
    return (int)strlen(text);""",
    "a copy without room for the zero": """
    char text[] = "abc"; char *copy = malloc(strlen(text));
    if (copy) { strcpy(copy, text); free(copy); }
    return 0;""",
    "only the first characters were copied": """
    char text[] = "abcdef"; char copy[8];
    memcpy(copy, text, 6);
    return (int)strlen(copy);""",
    "a pointer behind the zero": """
    char text[4] = "abc"; char *p = text;
    while (*p++) ;
    return *p;""",
    "the zero of another word": """
    char *words[3];
    for (int i = 0; i < 3; i++) { words[i] = malloc(2); words[i][0] = 'a'; words[i][1] = 0; }
    words[0][1] = 'b';
    return (int)strlen(words[__VERIFIER_nondet_int() == 1]);""",
    "a zero that is loaded, and then overwritten": """
    char text[4]; for (int i = 0; i < 4; i++) text[i] = (char)__VERIFIER_nondet_int();
    char c = text[2]; text[2] = 'x';
    if (c == 0) return (int)strlen(text);
    return 0;""",
    "the zero was found in a union, and its bytes are others now": """
    union { char text[4]; int number; } u; u.number = 0;
    if (u.text[3] == 0) { u.number = 0x61616161; return (int)strlen(u.text); }
    return 0;""",
    "a row of a matrix behind the one with a zero": """
    char text[2][4]; for (int i = 0; i < 4; i++) { text[0][i] = 'a'; text[1][i] = 'a'; }
    text[0][3] = 0;
    char (*row)[4] = text; row++;
    return (int)strlen(*row);""",
}


@pytest.mark.parametrize("name", PROVED)
def test_a_string_is_followed_to_its_end(name: str, tmp_path: Path) -> None:
    left = left_open(program_of(tmp_path, PROVED[name]))
    assert {one for one in left if one.endswith(CheckKind.BOUNDS.value)} == set()


@pytest.mark.parametrize("name", OPEN)
def test_what_may_run_past_the_end_is_left_open(name: str, tmp_path: Path) -> None:
    left = left_open(program_of(tmp_path, OPEN[name]))
    assert {one for one in left if one.endswith(CheckKind.BOUNDS.value)}


@pytest.mark.parametrize("body", [*PROVED.values(), *OPEN.values()], ids=[*PROVED, *OPEN])
def test_runs_have_their_zeroes_where_states_say(body: str, tmp_path: Path) -> None:
    program = program_of(tmp_path, body)
    result = run_engine(load_engine("recency"), program, Goal(audit=True), Limits(), NullProgress())
    assert result.states is not None
    found = audit(program, Goal(), {"recency": result.states}, runs=12, states_tried=150)
    assert found.missing == ()
    assert found.found["recency"] > 0
