"""Random well-typed C programs that build and rewrite linked structures, with or without memory errors.

Programs are small, end by themselves, and have no behaviour that C leaves open: integers are initialised, expressions
have one side effect at most, and signed arithmetic is meant to wrap. The same seed gives the same text.

>>> generate(1) == generate(1)
True
>>> "int main(void)" in generate(1)
True
"""

from __future__ import annotations

from random import Random

from heapwright.fuzz.generators.pointer_statements import StatementWriter
from heapwright.fuzz.generators.user_predicates import predicate_comments

HEADER = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct link { struct link *next, *prev; };
struct pair { short low; unsigned char high; };
struct node {
    int data;
    struct node *next;
    struct node *other;
    struct pair pair;
    struct link link;
    unsigned flag : 3;
};
union word { int number; unsigned char bytes[4]; };

static unsigned checksum;
static struct node *global;
static int counters[3];

static void mix(int value) { checksum = checksum * 31u + (unsigned)value; }
"""

PLAIN_HEADER = """\
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
    struct node *other;
};

static struct node *global;
"""


class Writer(StatementWriter):
    """Writes one program."""

    def function(self, name: str) -> None:
        """A function of a node and a number; it may call those before it, and itself with a smaller number."""
        self.in_main = False
        self.lines.append(f"static struct node *{name}(struct node *p0, int i0)")
        self.lines.append("{")
        self.put("struct node *p1 = p0;")
        self.put("int i1 = 1;")
        if self.random.random() < 0.4 and not self.plain:
            self.put(f"if (i0 > 0 && i0 < 3) p1 = {name}(p0 ? p0->next : p0, i0 - 1);")
        for _ in range(self.random.randint(1, 4)):
            self.statement()
        if not self.plain:
            self.put("mix(i1);")
        self.put(f"return {self.random.choice(['p0', 'p1', 'global'])};")
        self.lines.append("}")
        self.functions.append(name)
        self.in_main = True

    def plain_program(self, size: int, *, inputs: bool) -> str:
        self.lines = PLAIN_HEADER.splitlines()
        if self.random.random() < 0.3:
            self.function("f0")
        if inputs:
            self.lines += ["int start(struct node *p0, struct node *p1)", "{"]
            self.put("struct node *p2 = NULL;")
        else:
            self.lines += ["int main(void)", "{"]
            self.put("struct node *p0 = NULL, *p1 = NULL, *p2 = NULL;")
        for _ in range(size):
            self.statement()
        self.cleanup()
        self.put("return 0;")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"

    def program(self, size: int) -> str:
        self.lines = [
            *HEADER.splitlines(),
            "",
            "static struct node *make(int data, struct node *next)",
            "{",
            "    struct node *fresh = malloc(sizeof *fresh);",
            "    *fresh = (struct node){ .data = data, .next = next };",
            "    return fresh;",
            "}",
            "static struct pair swap(struct pair pair)",
            "{",
            "    return (struct pair){ pair.high, (unsigned char)pair.low };",
            "}",
        ]
        for number in range(self.random.randint(0, 2)):
            self.function(f"f{number}")
        self.lines += ["int main(void)", "{"]
        self.put("struct node *p0 = NULL, *p1 = NULL, *p2 = NULL;")
        self.put("int i0 = 0, i1 = 1, i2 = 2;")
        for _ in range(size):
            self.statement()
        self.cleanup()
        self.put('printf("checksum %u\\n", checksum);')
        self.put("return 0;")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"

    def cleanup(self) -> None:
        """At times a tidy end, so that not every program leaks."""
        if self.plain:
            for node in ("p0", "p1", "p2", "global"):
                if self.random.random() < 0.5:
                    self.put(f"free({node});" if self.random.random() < 0.5 else f"{node} = NULL;")
        elif self.random.random() < 0.6:
            self.put("global = NULL;")


def generate(seed: int, size: int = 12, *, plain: bool = False) -> str:
    """The program of a seed; `size` counts the statements of its main function. Plain ones have no arrays and no
    addresses of fields, but loops without a bound."""
    writer = Writer(Random(seed), plain=plain)
    return writer.plain_program(size, inputs=False) if plain else writer.program(size)


def generate_with_predicates(seed: int, size: int = 6) -> str:
    """A plain program whose function `start` has an input heap, with predicates of a user."""
    random = Random(seed)
    predicates = predicate_comments(random, ("next", "other"), ("p0", "p1", "p2"), "node")
    return predicates + Writer(random, plain=True).plain_program(size, inputs=True)
