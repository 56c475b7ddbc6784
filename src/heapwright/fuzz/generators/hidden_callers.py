"""Callers that heapwright does not see: they build inputs as it assumes them, and call a function of the visible file.

By default inputs are separate: nodes lead to nodes in any way, but no pointer leads to a global of the visible file or
into the middle of a node. Overlapping inputs do both.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from heapwright.fuzz.generators.hidden_bodies import number_source
from heapwright.fuzz.generators.two_files import TwoFiles

TYPES = """\
struct node { int data; struct node *next; struct node *other; };
struct pair { int low; int high; };
struct box { int low; int high; struct node *first; };
struct hooks { int (*run)(struct node *, int); void (*tell)(void); };
"""
VISIBLE_HEAD = f"""\
#include <assert.h>
#include <stdlib.h>

{TYPES}\
struct node *shared;
int level;
static struct node *own;
static unsigned checksum;
static int step;
static void mix(int value)
{{
    checksum = checksum * 31u + (unsigned)value;
}}
int visit(struct node *p, int n)
{{
    if (p) p->next = NULL;
    return n;
}}
"""
# Parameters of the visible function, and statements that use them. Lines are separated by `;;`.
PARAMETERS = {
    "p0": "struct node *p0",
    "p1": "struct node *p1",
    "k": "int *k",
    "pp": "struct node **pp",
    "b": "struct box *b",
    "f": "int (*f)(struct node *, int)",
    "h": "struct hooks *h",
    "i": "int i",
}
STATEMENTS = {
    "": [
        "if ({p}) {p}->data = {c};",
        "{p}->data = {c};",
        "if ({p} && {p}->next) {p}->next->data = {c};",
        "if ({p}) {q} = {p}->next;",
        "if ({p} && {q}) {{;;     {p}->next = {q};;     {q}->next = NULL;;     {p}->next->data = {c};; }}",
        "if ({p} && {q}) {{;;     {p}->data = 1;;     {q}->data = 2;;     assert({p}->data == 1);; }}",
        "if ({p} && {p} != {q}) {{;;     free({p});;     {p} = NULL;; }}",
        "free({p});; {p} = NULL;",
        "if ({p}) {{;;     {q} = {p}->next;;     free({p});;     {p} = NULL;; }}",
        "for (int t = 0; t < 3 && {p}; t++) {{;;     mix({p}->data);;     {p} = {p}->next;; }}",
        "while ({p} && {p}->data > 0) {{;;     {p}->data--;;     {p} = {p}->next;; }}",
        "{p} = malloc(sizeof(struct node));; {p}->data = {c};; {p}->next = {q};; {p}->other = NULL;",
        "{p} = {q};",
        "if ({p} && {p}->other) {{;;     {p}->other->next = NULL;;     if ({p}->next) mix({p}->next->data);; }}",
        "if ({p} && {p}->next) {{;;     {p}->other = {p}->next->next;;     {p}->next->next = NULL;;"
        "     if ({p}->other) {p}->other->data = {c};; }}",
        "level = {c};; if ({p}) {p}->data = 3;; assert(level == {c});",
        "mix(level);",
    ],
    "k": [
        "if (k) *k = {c};",
        "*k = {c};",
        "if (k && {p}) {{;;     *k = 1;;     {p}->data = 2;;     assert(*k == 1);; }}",
        "if (k) {{;;     level = 1;;     *k = 2;;     assert(level == 1);; }}",
        "if (k) mix(*k);",
    ],
    "pp": [
        "if (pp) *pp = {p};",
        "if (pp && *pp) (*pp)->data = {c};",
        "if (pp && {p} && {q}) {{;;     {p}->next = {q};;     *pp = NULL;;     {p}->next->data = {c};; }}",
        "if (pp && {p}) {{;;     shared = {p};;     *pp = NULL;;     shared->data = {c};; }}",
        "if (pp) {p} = *pp;",
    ],
    "b": [
        "if (b) b->low = {c};",
        "if (b && b->first) b->first->next = {p};",
        "if (b && {p}) {{;;     b->first = {p};;     b->first->data = 1;;     assert({p}->data == 1);; }}",
        "if (b) {p} = b->first;",
        "b->high = {c};",
    ],
    "f": [
        "mix(f({p}, {c}));",
        "if ({p} && {q}) {{;;     {p}->next = {q};;     f({p}, {c});;     {p}->next->data = 1;; }}",
        "level = {c};; f({p}, 1);; assert(level == {c});",
        "if ({p}) {{;;     own = {p};;     f({q}, 1);;     own->data = 1;; }}",
    ],
    "h": [
        "if (h && h->run) mix(h->run({p}, {c}));",
        "if (h) h->run({p}, {c});",
        "if (h && h->tell) h->tell();",
        "if (h) h->run = visit;",
    ],
    "i": ["if (i > 2) {p} = NULL;", "int a{c}[3] = {{ 0, 1, 2 }};; if (i >= 0 && i < 4) mix(a{c}[i]);", "mix(i);"],
}


def caller(random: Random, size: int, *, overlapping: bool) -> TwoFiles:
    """A function and its caller."""
    names = ["p0", "p1"] + [name for name in ("k", "pp", "b", "f", "h", "i") if random.random() < 0.35]
    pool = STATEMENTS[""] + [one for name in names[2:] for one in STATEMENTS[name] * 3]
    lines = [f"int start({', '.join(PARAMETERS[name] for name in names)})", "{"]
    for number in range(size):
        p, q = random.sample(("p0", "p1", "own", "shared"), 2)
        text = random.choice(pool).format(p=p, q=q, c=random.choice("0123"))
        parts = [part[1:] if part.startswith("  ") else part.lstrip() for part in text.split(";;")]
        lines += ["    {", f"        step = {number + 1};"]
        lines += ["        " + part + ("" if part[-1] in ";{" or part == "}" else ";") for part in parts]
        lines.append("    }")
    lines += ["    return (int)checksum;", "}"]
    hidden = _Hidden(random, overlapping).text(names)
    leaks = not {"f", "h"} & set(names)
    visible = VISIBLE_HEAD + "\n".join(lines) + "\n"
    return TwoFiles(visible, hidden, "start", "any" if overlapping else "separate", leaks)


class _Hidden:
    """Writes the hidden file of a function with inputs."""

    def __init__(self, random: Random, overlapping: bool) -> None:
        self.random, self.overlapping = random, overlapping
        self.count = random.randint(0, 3)

    def node(self) -> str:
        return self.random.choice(["NULL", *(f"all[{number}]" for number in range(self.count))])

    def argument(self, name: str) -> str:
        choices = {
            "p0": [self.node()],
            "p1": [self.node()],
            "k": ["&cell", "NULL"],
            "pp": ["&slot", "NULL"],
            "b": ["&box", "NULL"],
            "f": ["hidden_run", "visit"],
            "h": ["&hooks", "NULL"],
            "i": [str(self.random.randint(-1, 4))],
        }[name]
        if self.overlapping:
            more = {"k": ["&level", "&all[0]->data", "&box.low"], "pp": ["&shared", "&all[0]->next", "&box.first"]}
            choices += [one for one in more.get(name, []) if self.count or "all" not in one]
        return self.random.choice(choices)

    def text(self, names: Sequence[str]) -> str:
        random = self.random
        lines = ["#include <stdlib.h>", "", *TYPES.splitlines()]
        lines += ["extern struct node *shared;", "extern int level;", "extern int visit(struct node *p, int n);"]
        lines += [f"extern int start({', '.join(PARAMETERS[name] for name in names)});", "static struct node *all[4];"]
        lines += ["static struct node *slot;", "static int cell;", "static struct box box;"]
        lines += ["static int hidden_run(struct node *p, int n)", "{"]
        lines.append(f"    {random.choice(['if (p) p->next = NULL;', 'level = n;', 'if (p) p->data = 9;'])}")
        lines += ["    return n + 1;", "}", "static struct hooks hooks = { hidden_run, NULL };", "int main(void)", "{"]
        lines += _nodes(random, self.count, ("next", "other"), "data")
        lines += [f"    shared = {self.node()};", f"    level = {random.randint(0, 3)};", f"    slot = {self.node()};"]
        lines += [f"    cell = {random.randint(0, 3)};", f"    box.first = {self.node()};"]
        lines += [f"    box.low = {random.randint(0, 3)};", f"    hooks.run = {self.argument('f')};"]
        arguments = ", ".join(self.argument(name) for name in names)
        return "\n".join([*lines, f"    return start({arguments});", "}"]) + "\n"


def _nodes(random: Random, count: int, fields: Sequence[str], data: str) -> list[str]:
    """Statements that allocate nodes with random fields."""
    lines = [f"    all[{number}] = malloc(sizeof(struct node));" for number in range(count)]
    for number in range(count):
        lines.append(f"    all[{number}]->{data} = {random.randint(0, 2)};")
        for field in fields:
            target = random.choice(["NULL", *(f"all[{one}]" for one in range(count))])
            lines.append(f"    all[{number}]->{field} = {target};")
    return lines


def hidden_caller(random: Random, visible: str) -> TwoFiles:
    """A caller for a program of the kinds `inputs` and `predicates`."""
    parts = "struct base base;" in visible
    record = visible[visible.index("struct link {" if parts else "struct node {") :]
    record = record[: record.index("};", record.index("struct node {")) + 3]
    head = "int" if "int start(" in visible else "void"
    count = random.randint(0, 4)
    lines = ["#include <stdlib.h>", "", *record.splitlines()]
    lines += [f"extern {head} start(struct node *p, struct node *q);", "static struct node *all[4];"]
    lines += number_source(random, "__VERIFIER_nondet_int").splitlines()
    lines += ["int main(void)", "{"]
    lines += _nodes(random, count, ("other",) if parts else ("next", "other"), "base.data" if parts else "data")
    if parts:
        lines += [f"    all[{n}]->base.next = NULL;" for n in range(count)]
        lines += [f"    all[{n}]->link.next = all[{n}]->link.prev = NULL;" for n in range(count)]
    p, q = (random.choice(["NULL", *(f"all[{n}]" for n in range(count))]) for _ in range(2))
    lines += [f"    start({p}, {q});", "    return 0;", "}"]
    return TwoFiles(visible, "\n".join(lines) + "\n", "start", leaks=True)
