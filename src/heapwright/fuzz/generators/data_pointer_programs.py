"""Random programs that hand pointers to data to functions of a second file, in all the ways that C has for it: members,
elements, pointer variables, parameters, sums, conditionals, `void *`, blocks of the heap.

>>> generate_data_pointers(1) == generate_data_pointers(1)
True
"""

from __future__ import annotations

from random import Random

from heapwright.fuzz.generators.hidden_bodies import STATE, body, number_source
from heapwright.fuzz.generators.hidden_callers import TYPES
from heapwright.fuzz.generators.two_files import TwoFiles

HEADS = {
    "set": "void set(int *v)",
    "both": "void both(int *v, int *u)",
    "fill": "void fill(int *a, int n)",
    "widen": "void widen(struct pair *w)",
    "raw": "void raw(void *m)",
    "tick": "void tick(void)",
    "peek": "int peek(const int *v)",
    "same": "int *same(int *v)",
}
VISIBLE_HEAD = f"""\
#include <assert.h>
#include <stdlib.h>

{TYPES}\
struct row {{ int cells[3]; int used; }};
int level = 1;
static int total;
static int lot[3];
static unsigned checksum;
static int step;
static void mix(int value)
{{
    checksum = checksum * 31u + (unsigned)value;
}}
"""
HELPERS = """\
static void pass(int *t)
{
    SET(t);
}
static void inner(int n)
{
    int z = n;
    SET(&z);
    tick();
    assert(z == n);
}
static void again(int depth, int *t)
{
    int z = depth;
    if (depth > 0) {
        again(depth - 1, depth == 1 ? t : &z);
        SET(t);
        assert(z == depth);
    }
}
"""
LOCALS = """\
    int i0 = 0, i1 = 1, a[3] = { 0, 1, 2 }, g[2][2] = { { 0, 1 }, { 2, 3 } };
    struct pair w = { 0, 1 }, ws[2] = { { 0, 1 }, { 2, 3 } };
    struct row r = { { 0, 1, 2 }, 3 };
    int *q0 = &i0, *q1 = a, *h = malloc(3 * sizeof(int));
    h[0] = 0;
    h[1] = 1;
    h[2] = 2;
"""
LVALUES = [
    "i0",
    "i1",
    "a[1]",
    "a[2]",
    "g[1][0]",
    "w.low",
    "ws[1].high",
    "r.cells[2]",
    "r.used",
    "total",
    "lot[1]",
    "h[1]",
]
# No sanitizer sees a step from one member into the next, so pointers move in `a` only.
ADDRESSES = [
    "a",
    "a + 1",
    "g[1]",
    "r.cells",
    "lot",
    "q0",
    "q1",
    "(q1 == a ? q1 + 1 : q1)",
    "h",
    "h + 1",
    "(i0 > 0 ? &i0 : &i1)",
    "lot + 2",
]
STATEMENTS = [
    "{x} = {c};; CALL;; assert({x} == {c});",
    "{x} = {c};; CALL;; CALL;; assert({x} == {c});",
    "{x} = 1;; CALL;; a[{x}] = {c};",
    "{x} = 2;; CALL;; lot[{x}] = {c};",
    "{q} = {address};",
    "{q} = &{x};; CALL;; mix(*{q});",
    "{q} = &{x};; *{q} = {c};; CALL;; assert({x} == {c});",
    "pass({address});; mix({x});",
    "{x} = {c};; pass(&{x});; assert({x} == {c});",
    "inner({c});",
    "again(2, {address});",
    "if (pick() > 0) {q} = &{x};",
    "{q} = same({address});; if ({q}) *{q} = {c};; mix({x});",
    "for (int k = 0; k < 2; k++) {{;;     {x} = k;;     CALL;;     mix({x});; }}",
    "if ({x} == {c}) {{;;     CALL;;     assert({x} == {c});; }}",
    "{x}++;",
]


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.steps = 0
        names = {"tick", random.choice(("set", "both", "raw", "widen"))} | set(random.sample(sorted(HEADS), 2))
        self.heads = {name: HEADS[name] for name in sorted(names)}
        self.lines: list[str] = []

    def mark(self) -> str:
        self.steps += 1
        return f"step = {self.steps};"

    def address(self, lvalue: str) -> str:
        return f"&{lvalue}" if self.random.random() < 0.6 else self.random.choice(ADDRESSES)

    def call(self, lvalue: str) -> str:
        first, second = self.address(lvalue), self.address(self.random.choice(LVALUES))
        calls = {
            "set": f"set({first});",
            "both": f"both({first}, {second});",
            "fill": f"fill({self.random.choice(('a, 3', 'r.cells, 3', 'g[1], 2', 'lot, 3', 'h, 3', 'a + 1, 2'))});",
            "widen": f"widen({self.random.choice(('&w', '&ws[1]', 'ws', 'ws + 1'))});",
            "raw": f"raw({first});",
            "tick": "tick();",
            "peek": f"mix(peek({first}));",
            "same": f"q0 = same({first});",
        }
        return f"{self.mark()} {calls[self.random.choice(sorted(self.heads))]} {self.mark()}"

    def statement(self) -> None:
        lvalue = self.random.choice(LVALUES)
        text = self.random.choice([one for one in STATEMENTS if "same(" not in one or "same" in self.heads])
        words = {"x": lvalue, "c": self.random.choice("0123"), "q": self.random.choice(("q0", "q1"))}
        for line in text.format(**words, address=self.address(lvalue)).split(";;"):
            while "CALL" in line:
                line = line.replace("CALL", self.call(lvalue).rstrip(";"), 1)
            bare = line[1:] if line.startswith("  ") else line.lstrip()
            self.lines.append("    " + bare + ("" if bare[-1] in ";{" or bare.strip() == "}" else ";"))

    def visible(self, size: int) -> str:
        setter = next((name for name in ("set", "raw") if name in self.heads), "")
        helpers = (
            HELPERS.replace("SET", setter) if setter else HELPERS.replace("SET(t)", "*t = 1").replace("SET(&z)", "z++")
        )
        functions = "".join(f"extern {head};\n" for head in self.heads.values()) + "extern int pick(void);\n"
        for _ in range(size):
            self.statement()
        end = ["    mix(i0 + a[1] + w.low + h[1]);", "    free(h);", "    return (int)checksum;", "}"]
        main = ["int main(void)", "{", *LOCALS.splitlines(), *self.lines, *end]
        return VISIBLE_HEAD + functions + helpers + "\n".join(main) + "\n"

    def hidden(self) -> str:
        bodies = "".join(body(self.random, head, frozenset({"level"})) for head in self.heads.values())
        head = "#include <stdlib.h>\n\n" + TYPES + "extern int level;\n" + STATE
        return head + number_source(self.random, "pick") + bodies


def generate_data_pointers(seed: int, size: int = 6) -> TwoFiles:
    writer = _Writer(Random(seed))
    return TwoFiles(writer.visible(size), writer.hidden())
