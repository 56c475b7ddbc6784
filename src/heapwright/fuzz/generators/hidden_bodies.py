"""Bodies of functions that heapwright does not see, which do what it assumes of them and nothing else.

A body is a few random statements: it writes through what it is handed or was handed before, keeps pointers, calls
functions that it was handed, and writes globals that other files see.
"""

from __future__ import annotations

import re
from random import Random

STATE = """\
static struct node env = { 4, NULL, NULL };
static struct node *kept;
static struct node **kept_place;
static int *kept_int;
static char **kept_strings;
static void (*kept_call)(void);
static int (*kept_run)(struct node *, int);
static int turn;
"""

# Statements by the parameters that they need ("" for none) and whether they mention a visible global; N is a number.
_STATEMENTS: dict[str, list[str]] = {
    "": [
        "if (kept) kept->data = N;",
        "if (kept) kept->next = NULL;",
        "if (kept) kept->next = kept;",
        "if (kept && kept->other) kept->other->next = NULL;",
        "if (kept_int) *kept_int = N;",
        "if (kept_int) *kept_int += 1;",
        "if (kept_place) *kept_place = NULL;",
        "if (kept_place) *kept_place = kept;",
        "if (kept_call) kept_call();",
        "if (kept_run) kept_run(kept, N);",
        "if (kept_run) kept_run(&env, N);",
        "level = N;",
        "level += 1;",
        "level = N;",
        "turn++;",
        "env.data = N;",
        "env.next = NULL;",
        "env.next = &env;",
        "if (kept_strings) *kept_strings = NULL;",
        "shared = NULL;",
        "shared = kept;",
        "shared = &env;",
        "if (shared) shared->next = NULL;",
        "if (shared) shared->data = N;",
        "if (shared && shared->next) kept = shared->next;",
        "chosen = hidden_run;",
        "hooks.tell = NULL;",
        "hooks.tell = hidden_tell;",
        "if (hooks.tell) hooks.tell();",
    ],
    "p": [
        "kept = p;",
        "kept = p;",
        "if (p) p->data = N;",
        "if (p) p->next = NULL;",
        "if (p) p->next = p;",
        "if (p) p->other = kept;",
        "if (p) p->next = &env;",
        "if (p && p->next) p->next->other = p;",
        "if (p && p->next) p->next = p->next->next;",
        "if (p && p->next) p->next->data = N;",
    ],
    "v": ["*v = N;", "*v += 1;", "kept_int = v;", "*v = N;"],
    "a": ["a[0] = N;", "a[n - 1] = N;", "kept_int = a + 1;", "for (int k = 0; k < n; k++) a[k] = k;"],
    "pp": [
        "*pp = NULL;",
        "*pp = kept;",
        "kept_place = pp;",
        "if (*pp) *pp = (*pp)->next;",
        "if (*pp) (*pp)->data = N;",
        "kept = *pp;",
        "*pp = &env;",
    ],
    "b": [
        "b->low = N;",
        "b->high = b->low;",
        "b->first = NULL;",
        "b->first = kept;",
        "kept_int = &b->high;",
        "kept_place = &b->first;",
        "if (b->first) b->first->next = NULL;",
    ],
    "s": ["s[0] = NULL;", "s[1] = s[0];", "kept = s[1];", "kept_place = s + 1;", "if (s[0]) s[0]->data = N;"],
    "u": ["*u = N;", "*u += 1;", "kept_int = u;"],
    "m": ["*(int *)m = N;", "kept_int = m;"],
    "w": ["w->low = N;", "w->high = w->low;", "kept_int = &w->low;"],
    "strings": ["strings[0] = NULL;", "kept_strings = strings;", "if (strings[0]) strings[0][0] = 0;"],
    "run": ["run(kept, N);", "if (run) kept_run = run;", "run(&env, N);", "run(NULL, N);"],
    "call": ["call();", "kept_call = call;", "kept_call = call;"],
}
_RESULTS = ["NULL", "kept", "&env", "p", "p ? p->next : NULL", "p"]


def body(random: Random, head: str, globals_: frozenset[str]) -> str:
    """A definition for a declared function: `head` is its declaration without `extern` and semicolon."""
    parameters = set(re.findall(r"(\w+)\)?(?=[,)\[(])", head.partition("(")[2])) & set(_STATEMENTS)
    if "(*run)" in head:
        parameters.add("run")
    if "(*call)" in head:
        parameters.add("call")
    constant = "const" in head
    pool = [one for name in sorted(parameters) if not constant for one in _STATEMENTS[name]]
    common = [one for one in _STATEMENTS[""] if _mentioned(one) <= globals_]
    lines = []
    for number in range(random.randint(0 if constant else 1, 4)):
        line = random.choice(pool if pool and (number == 0 or random.random() < 0.5) else common)
        lines.append("    " + re.sub(r"\bN\b", str(random.choice((0, 1, 2, 3, 5, -1, 7))), line))
    if head.startswith("struct node *"):
        results = _RESULTS if "p" in parameters else ["NULL", "&env", "&env", "kept"]
        lines.append(f"    return {random.choice(results)};")
    elif head.startswith("int *"):
        lines.append(f"    return {random.choice(('v', 'kept_int', 'NULL'))};")
    elif head.startswith("int "):
        lines.append(f"    return {random.choice(('0', '1', 'turn', '-1', '2'))};")
    return "\n".join([head, "{", *lines, "}"]) + "\n"


def _mentioned(statement: str) -> set[str]:
    return {name for name in ("level", "shared", "chosen", "hooks") if re.search(rf"\b{name}\b", statement)}


def number_source(random: Random, name: str) -> str:
    """A function without parameters that returns a few random numbers, then always 0."""
    values = ", ".join(str(random.choice((0, 0, 1, 1, 2, 3, -1))) for _ in range(12))
    return (
        f"static const int {name}_values[12] = {{ {values} }};\nstatic int {name}_turn;\n"
        f"int {name}(void)\n{{\n    return {name}_turn < 12 ? {name}_values[{name}_turn++] : 0;\n}}\n"
    )
