"""Random programs that compare the data of their nodes, sort a little, and claim things about order.

Keys are of a random integer type; numbers near its limits, arithmetic that wraps and conversions that lose bits are
common. Half of the claims are wrong in some run.

>>> generate_keys(1) == generate_keys(1)
True
"""

from __future__ import annotations

from random import Random

from heapwright.fuzz.generators.pointer_programs import Writer

TYPES = ("int", "unsigned", "short", "unsigned char", "signed char", "long")
NUMBERS = ("0", "1", "2", "-1", "127", "128", "255", "32767", "2147483647", "-2147483647 - 1", "4294967295u")

HEADER = """\
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"

extern int __VERIFIER_nondet_int(void);

struct node {{
    {type} data;
    struct node *next;
    struct node *other;
}};

static struct node *global;

static struct node *insert(struct node *list, {type} data)
{{
    struct node *fresh = malloc(sizeof *fresh), *last = NULL, *here = list;
    fresh->data = data;
    fresh->other = NULL;
    while (here && here->data {less} data) {{
        last = here;
        here = here->next;
    }}
    fresh->next = here;
    if (!last) return fresh;
    last->next = fresh;
    return list;
}}
"""


class KeyWriter(Writer):
    """Writes one program; integers are `i0` to `i2`, of random types too."""

    def __init__(self, random: Random) -> None:
        super().__init__(random, plain=True)
        self.type = random.choice(TYPES)

    def statement(self) -> None:
        choices = [
            (self.allocate, 3),
            (self.move, 4),
            (self.link_up, 3),
            (self.heap_data, 6),
            (self.integers, 5),
            (self.claim, 5),
            (self.sort_in, 2),
            (self.release, 1),
            (self.branch, 4),
            (self.loop, 2),
        ]
        actions, weights = zip(*(choices[:8] if self.depth > 3 else choices), strict=True)
        self.random.choices(actions, weights)[0]()

    def start(self) -> str:
        return self.random.choice(("__VERIFIER_nondet_int()", "__VERIFIER_nondet_int()", self.key()))

    def guarded(self, node: str, action: str) -> str:
        return f"if ({node}) {action}" if self.random.random() < 0.98 else action

    def key(self) -> str:
        """An expression over keys and integers."""
        random = self.random
        kind = random.random()
        if kind < 0.6:
            return self.integer()
        if kind < 0.75:
            return random.choice(NUMBERS)
        if kind < 0.9:
            return f"{self.integer()} {random.choice('+-*')} {random.choice([self.integer(), '1'])}"
        return f"({random.choice(TYPES)})({self.integer()})"

    def comparison(self) -> str:
        random = self.random
        node, other = self.node(), self.node()
        op = random.choice(("<", "<=", "==", "!=", ">", ">="))
        data = f"{node}->data {op} {other}->data"
        return random.choice(
            (
                f"{node} && {other} && {data}",
                f"{node} && {node}->next && {node}->data {op} {node}->next->data",
                f"{node} && {node}->data {op} {self.integer()}",
                f"{self.integer()} {op} {self.integer()}",
            )
        )

    def condition(self) -> str:
        return self.comparison() if self.random.random() < 0.7 else super().condition()

    def heap_data(self) -> None:
        node, other = self.node(), self.node()
        kind = self.random.random()
        if kind < 0.5:
            self.put(self.guarded(node, f"{node}->data = {self.key()};"))
        elif kind < 0.8:
            self.put(f"if ({node} && {other}) {node}->data = {other}->data;")
        else:
            swap = f"{self.type} old = {node}->data; {node}->data = {other}->data; {other}->data = old;"
            self.put(f"if ({node} && {other}) {{ {swap} }}")

    def integers(self) -> None:
        node, target = self.node(), self.integer()
        kind = self.random.random()
        if kind < 0.4:
            self.put(self.guarded(node, f"{target} = {node}->data;"))
        elif kind < 0.6:
            self.put(f"{target} = __VERIFIER_nondet_int();")
        elif kind < 0.8:
            self.put(f"{target} = {self.key()};")
        else:
            self.put(f"{target} = {self.comparison()};")

    def claim(self) -> None:
        kind = self.random.random()
        if kind < 0.4:
            self.put(f"assert(hw_sorted({self.node()}, next, data));")
        elif kind < 0.5:
            self.put(f"hw_assume(hw_sorted({self.node()}, next, data));")
        elif kind < 0.6:
            self.put(f"assert(!hw_sorted({self.node()}, next, data));")
        elif kind < 0.8:
            tested = self.comparison()
            self.put(f"if ({tested}) {{ assert({tested.split(' && ')[-1]}); }}")
        else:
            node, other = self.node(), self.node()
            test = f"{node}->data {self.random.choice(('<=', '==', '!='))} {other}->data"
            self.put(f"if ({node} && {other}) assert({test});")

    def sort_in(self) -> None:
        node = self.node()
        self.put(f"{node} = insert({self.random.choice([node, 'NULL'])}, {self.key()});")

    def text(self, size: int) -> str:
        less = self.random.choice(("<", "<", "<=", ">"))
        self.lines = HEADER.format(type=self.type, less=less).splitlines()
        self.lines += ["int main(void)", "{"]
        self.put("struct node *p0 = NULL, *p1 = NULL, *p2 = NULL;")
        for name in ("i0", "i1", "i2"):
            kind = self.random.choice((self.type, self.type, self.random.choice(TYPES)))
            self.put(f"{kind} {name} = {self.random.choice(NUMBERS)};")
        self.put(f"while (__VERIFIER_nondet_int() > 0) p0 = insert(p0, {self.start()});")
        if self.random.random() < 0.4:
            self.put(f"p1 = insert(p1, {self.start()});")
        for _ in range(size):
            self.statement()
        self.cleanup()
        self.put("return 0;")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"


def generate_keys(seed: int, size: int = 10) -> str:
    """The program of a seed; `size` counts the statements of its main function."""
    return KeyWriter(Random(seed)).text(size)
