"""Random programs whose pointers lead into blocks: parts, pointers to pointers, casts, arrays, and inputs.

Each program uses a few of these at most, so that engines terminate on it. Half of the accesses are guarded.
With inputs there is no main: the function `start` gets what its assumptions allow.

>>> "struct" in generate_parts(1) and generate_parts(1) == generate_parts(1)
True
"""

from __future__ import annotations

from random import Random

HEADER = """\
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct link { struct link *next, *prev; };
struct base { struct base *next; int data; };
struct node {
    struct base base;
    struct node *other;
    struct link link;
};
"""
CONTAINER = "((struct node *)((char *)({}) - offsetof(struct node, link)))"

# Statements by what they are about; {n} is a pointer to a node, {b} to a base, {l} to a link, {p} the address of a
# pointer to a node, {v} a `void *`, {i} an index. After `|` stands what a guard tests.
STATEMENTS: dict[str, list[str]] = {
    "nodes": [
        "{n} = malloc(sizeof(struct node)); {n0}->base.next = NULL; {n0}->other = {n1}; {n0}->link.next = NULL;",
        "{n} = calloc(1, sizeof(struct node));",
        "{n} = {n1}->other;|{n1}",
        "{n}->other = {n1};|{n}",
        "{n} = {n1};",
        "free({n}); {n} = NULL;",
        "free({n});",
        "{n}->base.data = 1;|{n}",
        "{n} = NULL;",
    ],
    "inputs": [  # go further than one step, and free what is inside
        "{n} = {n1}->other->other;|{n1} && {n1}->other",
        "{{ struct node *gone = {n}->other; {n}->other = gone->other; free(gone); }}|{n} && {n}->other",
        "{{ struct node *gone = {n}->other; {n}->other = gone->other; free(gone); }}"
        "|{n} && {n}->other && {n}->other != {n}",
        "free({n}->other); {n}->other = {n1};|{n} && {n}->other && {n}->other != {n1}",
        "{n}->other->base.data = 2;|{n} && {n}->other",
        "while ({n} && {n}->other) {n} = {n}->other;",
    ],
    "links": [
        "{l} = &{n}->link;|{n}",
        "{l} = {n} ? &{n}->link : &head;",
        "{l}->next = {l1};|{l}",
        "{l}->next = {l1}; {l1}->prev = {l};|{l} && {l1}",
        "{l} = {l1}->next;|{l1}",
        "{n} = CONTAINER({l});|{l}",
        "{n} = CONTAINER({l});|{l} && {l} != &head",
        "if ({l} == &head) {l} = NULL;",
        "if ({l} == {l1}) {{ {l} = head.next; }}",
        "head.next = {l};",
        "head.next = head.prev = &head;",
        "free(CONTAINER({l}));|{l} && {l} != &head",
        "{l} = &head;",
    ],
    "addresses": [
        "{p} = &{n}->other;|{n}",
        "{p} = &{n};",
        "*{p} = {n};|{p}",
        "{n} = *{p};|{p}",
        "{p} = &(*{p})->other;|{p} && *{p}",
        "if ({p} && *{p} == {n}) *{p} = NULL;",
        "{p} = NULL;",
    ],
    "casts": [
        "{b} = (struct base *){n};",
        "{b} = &{n}->base;|{n}",
        "{n} = (struct node *){b};",
        "{v} = {n};",
        "{v} = {b};",
        "{n} = {v};",
        "{b} = {v};",
        "{b} = malloc(sizeof(struct base)); {b}->next = NULL;",
        "{b}->next = {b1};|{b}",
        "{b} = {b1}->next;|{b1}",
        "free({v}); {v} = NULL;",
        "free({b});",
        "if ({b} == (struct base *){n}) {b} = NULL;",
        "{b}->data = {b1}->data;|{b} && {b1}",
    ],
    "arrays": [
        "table[{i}] = {n};",
        "{n} = table[{i}];",
        "table[{i}] = {n};|{i} >= 0 && {i} < 12",
        "{n} = table[{i}];|{i} >= 0 && {i} < 12",
        "i = __VERIFIER_nondet_int();",
        "pair[{j}] = {n};",
        "{n} = pair[{j}];",
        "row = table + {i};",
        "{n} = *row;",
        "*row = {n};",
        "row = pair;",
        "row = malloc(2 * sizeof *row); row[0] = {n}; row[1] = NULL;",
        "free(row);",
        "nodes[{j}].other = {n};",
        "{n} = nodes[{i} & 1].other;",
        "{n} = &nodes[{j}];",
    ],
}
DECLARATIONS = {
    "nodes": "struct node *n0 = NULL, *n1 = NULL;",
    "links": "struct link head = { &head, &head }, *l0 = NULL, *l1 = &head;",
    "addresses": "struct node **p0 = NULL;",
    "casts": "struct base *b0 = NULL, *b1 = NULL; void *v0 = NULL;",
    "arrays": "static struct node *table[12]; static struct node nodes[3];\n"
    "    struct node *pair[2] = { NULL, NULL }, **row = table; int i = 1;",
}
ASSUMPTIONS = [
    "hw_assume(hw_acyclic(n0, other));",
    "hw_assume(n0 != NULL);",
    "hw_assume(n0 != NULL && hw_acyclic(n0, other) && hw_disjoint(n0, n1, other));",
    "hw_assume(hw_cyclic(n0, other));",
    "hw_assume(hw_reach(n0, n1, other));",
    "if (!hw_acyclic(n0, other)) return;",
    "",
]


class PartsWriter:
    def __init__(self, random: Random, about: tuple[str, ...], *, inputs: bool) -> None:
        self.random = random
        self.about = about
        self.inputs = inputs
        self.lines: list[str] = []
        self.depth = 1

    def put(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def condition(self) -> str:
        tests = ["__VERIFIER_nondet_int() > 0", "n0", "n0 == n1", "n0 && n0->base.data == 1"]
        tests += ["l0 != &head"] if "links" in self.about else []
        tests += ["p0 && *p0"] if "addresses" in self.about else []
        tests += ["(void *)b0 == v0"] if "casts" in self.about else []
        return self.random.choice(tests)

    def simple(self) -> None:
        random = self.random
        text = random.choice(STATEMENTS[random.choice((*self.about, *self.about[1:]))])
        n, b, link = (random.sample((f"{name}0", f"{name}1"), 2) for name in "nbl")
        words = {"n": n[0], "n0": n[0], "n1": n[1], "b": b[0], "b1": b[1], "l": link[0], "l1": link[1]}
        words |= {"p": "p0", "v": "v0", "i": random.choice(("i", "0", "1", "11")), "j": random.choice("0012")}
        statement, _, guard = text.partition("|")
        container = statement.replace("CONTAINER({l})", CONTAINER.format("{l}"))
        filled = container.format(**words)
        if guard and random.random() < 0.9:
            filled = f"if ({guard.format(**words)}) {{ {filled} }}"
        self.put(filled)

    def statement(self) -> None:
        draw = self.random.random()
        if draw < 0.8 or self.depth > 2:
            self.simple()
            return
        loop = draw > 0.9
        self.put(f"while ({self.condition()}) {{" if loop else f"if ({self.condition()}) {{")
        self.depth += 1
        for _ in range(self.random.randint(1, 2)):
            self.statement()
        if loop:
            self.put("if (__VERIFIER_nondet_int() > 0) break;")
        self.depth -= 1
        self.put("}")

    def program(self, size: int) -> str:
        self.lines = HEADER.splitlines()
        if self.inputs:
            self.lines += ["void start(struct node *n0, struct node *n1)", "{"]
            self.put(self.random.choice(ASSUMPTIONS))
        else:
            self.lines += ["int main(void)", "{"]
            self.put(DECLARATIONS["nodes"])
        for name in self.about[1:]:
            if name in DECLARATIONS:
                self.put(DECLARATIONS[name])
        for _ in range(size):
            self.statement()
        self.put("return;" if self.inputs else "return 0;")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"


def generate_parts(seed: int, size: int = 8, *, inputs: bool = False) -> str:
    """The program of a seed; `size` counts the statements of its function, which is `start` for one with inputs."""
    random = Random(seed)
    topics = random.sample(("links", "addresses", "casts", "arrays"), 0 if inputs and seed % 3 else 1)
    return PartsWriter(random, ("nodes", *(["inputs"] if inputs else []), *topics), inputs=inputs).program(size)
