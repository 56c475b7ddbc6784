"""Random programs that call functions of a second file, and functions whose callers are in one.

>>> program = generate_externals(1)
>>> program == generate_externals(1), "int main(void)" in program.visible
(True, True)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

from heapwright.fuzz.generators.data_pointer_programs import generate_data_pointers
from heapwright.fuzz.generators.hidden_bodies import STATE, body, number_source
from heapwright.fuzz.generators.hidden_callers import TYPES, caller, hidden_caller
from heapwright.fuzz.generators.interior_pointer_programs import generate_parts
from heapwright.fuzz.generators.pointer_programs import generate_with_predicates
from heapwright.fuzz.generators.two_files import RENAMED_MAIN, TwoFiles

INCLUDES = "#include <assert.h>\n#include <stdlib.h>\n\n"
PRIVATE = """\
static struct node *own;
static int count;
static unsigned checksum;
static int step;
static void mix(int value)
{
    checksum = checksum * 31u + (unsigned)value;
}
"""
DATA_FUNCTIONS = {
    "set": "void set(int *v)",
    "fill": "void fill(int *a, int n)",
    "widen": "void widen(struct pair *w)",
    "tick": "void tick(void)",
    "peek": "int peek(const int *v)",
    "on": "void on(void (*call)(void))",
    "lend": "struct node *lend(void)",
}
ARGUMENT_FUNCTIONS = {"permute": "void permute(char **strings)"}
NODE_FUNCTIONS = {
    "change": "void change(struct node *p)",
    "place": "void place(struct node **pp)",
    "give": "struct node *give(struct node *p)",
    "pack": "void pack(struct box *b)",
    "sort": "void sort(struct node **s, int n)",
    "look": "int look(const struct node *p)",
    "each": "void each(struct node *p, int (*run)(struct node *, int))",
}
# What a statement is about, by the functions that may change it.
RELEVANT = {
    "set": ["{i}"],
    "fill": ["a["],
    "widen": ["w."],
    "on": ["own", "{i}"],
    "change": ["{p}"],
    "place": ["{p}", "own"],
    "give": ["{p}"],
    "each": ["{p}"],
    "pack": ["box"],
    "sort": ["slots"],
}
CALLBACKS = """\
static void drop(void)
{
    CALLBACK
}
static int visit(struct node *p, int n)
{
    VISIT
    return n;
}
"""
CALLBACK = ["own = NULL;", "count = 3;", "count++;", "if (own) own->next = NULL;", "own = own ? own->next : NULL;"]
VISIT = ["if (p) p->data = n;", "if (p) p->next = NULL;", "own = p;", "p->data = n;", "count = n;"]

# Statements: {p}, {q} are pointers to nodes, {i} an integer variable, {c} a constant, CALL a call of a hidden function.
# Lines are separated by `;;`. Those of the second table need functions that take nodes, of the third hooks.
STATEMENTS = [
    "{p} = malloc(sizeof(struct node));; {p}->data = {c};; {p}->next = NULL;; {p}->other = NULL;",
    "{p} = malloc(sizeof(struct node));; {p}->data = {c};; {p}->next = {q};; {p}->other = NULL;",
    "{p} = {q};",
    "if ({q}) {p} = {q}->next;",
    "if ({p}) {p}->next = {q};",
    "if ({p}) {p}->other = {q};",
    "{i} = {c};; CALL;; assert({i} == {c});",
    "{i} = {c};; CALL;; CALL;; mix({i});",
    "if ({p}) {{;;     {p}->data = {c};;     CALL;;     assert({p}->data == {c});; }}",
    "if ({p} && {q}) {{;;     {p}->next = {q};;     CALL;;     {p}->next->data = {c};; }}",
    "if ({p}) {{;;     own = {p};;     CALL;;     own->data = {c};; }}",
    "if ({p}) {{;;     own = {p};;     own->next = own;;     CALL;;     CALL;;     own->next->data = {c};; }}",
    "{i} = {c};; CALL;; a[{i}] = {c};",
    "a[1] = 1;; CALL;; a[a[1]] = {c};",
    "w.low = 1;; w.high = 2;; CALL;; assert(w.low <= w.high);",
    "CALL;",
    "CALL;; {i} = pick();",
    "free({p});; {p} = NULL;",
    "free({p});",
    "while (pick() > 0) {{;;     {p} = malloc(sizeof(struct node));;     {p}->data = 0;;     {p}->other = NULL;;"
    "     {p}->next = {q};;     {q} = {p};; }}",
    "while ({p}) {{;;     {q} = {p}->next;;     free({p});;     {p} = {q};; }}",
    "for (int k = 0; k < 3 && {p}; k++) {{;;     mix({p}->data);;     {p} = {p}->next;; }}",
    "if (pick() > 0) {{;;     CALL;; }}",
    "for (int k = 0; k < 2; k++) {{;;     CALL;; }}",
    "if ({i} == {c}) {{;;     {p} = NULL;; }}",
    "{i}++;",
    "mix({i});; mix(a[2]);",
    "{p} = lend();; if ({p}) {{;;     {p}->data = {c};;     CALL;;     assert({p}->data == {c});; }}",
    "{p} = lend();; if ({p} && {p}->next) {{;;     CALL;;     {p}->next->data = {c};; }}",
    "{p} = lend();; {q} = lend();; if ({p} && {q}) {{;;     {p}->data = {c};;     mix({q}->data);; }}",
]
NODE_STATEMENTS = [
    "place(&{p});; if ({p}) {p}->data = {c};",
    "slots[0] = {p};; slots[1] = {q};; CALL;; if (slots[0]) slots[0]->data = {c};",
    "if ({p}) {{;;     slots[0] = {p};;     CALL;;     slots[0]->next = NULL;; }}",
    "box.first = {p};; box.low = {c};; CALL;; if (box.first) box.first->data = box.low;",
    "box.high = {c};; CALL;; assert(box.high == {c});",
    "{p} = give({q});; if ({p}) {p}->data = {c};",
    "if ({p} && {q}) {{;;     {p}->next = {q};;     change({p});;     free({q});;     {q} = NULL;;"
    "     if ({p}->next) {p}->next->data = {c};;     {p}->next = NULL;; }}",
    "if ({p}) {{;;     {p}->next = {q};;     mix(look({p}));;     assert({p}->next == {q});; }}",
    "n.next = {p};; n.data = {c};; CALL;; assert(n.data == {c});",
    "{p} = &n;",
    "if ({p}) place(&{p}->next);",
    "each({p}, visit);; if ({p} && {p}->next) {p}->next->data = {c};",
]
HOOK_STATEMENTS = [
    "{i} = hooks.run({p}, {c});; mix({i});",
    "if (hooks.tell) hooks.tell();",
    "hooks.tell();",
    "mix(table[{c} & 1].run({p}, {c}));",
    "if (table[{i} & 1].tell) table[{i} & 1].tell();",
    "mix(chosen({p}, {i}));; if ({p}) {p}->data = {c};",
    "if (chosen) {i} = chosen({p}, {c});",
    "chosen = visit;; CALL;; mix(chosen({p}, 1));",
    "chosen = table[{c} & 1].run;",
]
ARGUMENT_STATEMENTS = [
    "if (argc > {k}) mix(argv[{k}][0]);",
    "if (argc > 0) {{;;     {i} = argv[argc - 1][0];;     mix({i});; }}",
    "mix(argv[{k}] != NULL);",
    "mix(argv[{k}][0]);",
    "if (argc > 0 && argv[0][0]) mix(argv[0][1]);",
    "assert(argc < {c} + 1 || argv[{c}] != NULL);",
    "assert(argv[argc] == NULL);",
    "for (int k = 0; k < argc; k++) mix(argv[k][0] != 0);",
    "for (char **s = argv; *s; s++) mix((*s)[0]);",
    "for (int k = 0; argv[k]; k++) mix(k);",
    "for (int k = {k}; k <= argc; k++) mix(argv[k] != NULL);",
    "permute(argv);; if (argc > {k}) mix(argv[{k}][0]);",
    "permute(argv);; for (char **s = argv; *s; s++) mix((*s)[0]);",
    "if (argc > 0 && argv[0]) {{;;     CALL;;     mix(argv[0][0]);; }}",
    "if (argc > {k}) argv[{k}] = NULL;",
    "if (argc > 1) argv[1] = argv[0];",
]


class HiddenWriter:
    """Writes one program. `nodes`: hidden functions take nodes, and files share a global that points to one; `hooks`:
    the program has tables of pointers to functions; `by_pointer`: it calls hidden functions through pointers."""

    def __init__(
        self, random: Random, *, nodes: bool, hooks: bool = False, arguments: bool = False, by_pointer: bool = False
    ) -> None:
        self.random = random
        self.by_pointer = by_pointer
        self.hooks = hooks
        self.arguments = arguments
        self.globals = {"level"} | ({"shared"} if nodes else set()) | ({"chosen", "hooks"} if hooks else set())
        heads = {**DATA_FUNCTIONS, **(NODE_FUNCTIONS if nodes else {}), **(ARGUMENT_FUNCTIONS if arguments else {})}
        chosen = random.sample(sorted(heads), random.randint(2, 5))
        self.heads = {name: heads[name] for name in chosen}
        self.pointers = ["p0", "p1", "p2", "own", *(["shared"] if nodes else [])]
        self.integers = ["i0", "i1", "count", "level"]
        self.pool = STATEMENTS + (NODE_STATEMENTS if nodes else [])
        self.pool += [one for one in self.pool if "CALL" in one] * 2
        self.pool += HOOK_STATEMENTS * 2 if hooks else []
        self.pool += ARGUMENT_STATEMENTS * 2 if arguments else []
        self.steps = 0
        self.lines: list[str] = []

    # --- statements --------------------------------------------------------------------------------------------------

    def call(self, indent: str, p: str, i: str, text: str) -> None:
        """A call of a hidden function, mostly about the variables of the statement that it is in."""
        relevant = [name for name in sorted(self.heads) if any(word in text for word in RELEVANT.get(name, ()))]
        name = self.random.choice(relevant if relevant and self.random.random() < 0.7 else sorted(self.heads))
        pointer = p if self.random.random() < 0.6 else self.pointer()
        lvalue = (
            p if p in ("p0", "p1", "own") and self.random.random() < 0.6 else self.random.choice(("p0", "p1", "own"))
        )
        number = i if i != "level" and self.random.random() < 0.6 else self.random.choice(("i0", "i1", "count"))
        call = {
            "set": f"set(&{number});",
            "fill": "fill(a, 3);",
            "widen": "widen(&w);",
            "tick": "tick();",
            "peek": f"mix(peek(&{self.random.choice(['i0', 'i1'])}));",
            "on": "on(drop);",
            "change": f"change({pointer});",
            "place": f"place(&{lvalue});",
            "give": f"{self.random.choice(['p0', 'p1'])} = give({pointer});",
            "pack": "pack(&box);",
            "sort": "sort(slots, 2);",
            "look": f"mix(look({pointer}));",
            "each": f"each({pointer}, visit);",
            "lend": f"{self.random.choice(['p0', 'p1'])} = lend();",
            "permute": "permute(argv);",
        }[name]
        if self.by_pointer:
            call = call.replace(f"{name}(", f"(i0 ? {name} : {name})(")
        self.marked(indent, indent + call)

    def marked(self, indent: str, line: str) -> None:
        self.mark(indent)
        self.lines.append(line)
        self.mark(indent)

    def mark(self, indent: str) -> None:
        self.steps += 1
        self.lines.append(f"{indent}step = {self.steps};")

    def pointer(self) -> str:
        return self.random.choice(self.pointers)

    def statement(self) -> None:
        text = self.random.choice(self.pool)
        p = self.pointer()
        q = self.random.choice([one for one in self.pointers if one != p])
        words = {"p": p, "q": q, "i": self.random.choice(self.integers), "c": self.random.choice("0123")}
        for line in text.format(**words, k=self.random.choice("012")).split(";;"):
            bare = line.lstrip() if line[:2] != "  " else line[1:]
            indent = "    " + " " * (len(bare) - len(bare.lstrip()))
            stripped = bare.strip()
            if stripped.rstrip(";") == "CALL":
                self.call(indent, p, words["i"], text)
                continue
            line = indent + stripped + ("" if stripped[-1] in ";{" or stripped == "}" else ";")
            called = set(re.findall(r"\b(\w+)\(", line)) & {*DATA_FUNCTIONS, *NODE_FUNCTIONS, *ARGUMENT_FUNCTIONS}
            if not called:
                self.lines.append(line)
            elif called <= set(self.heads):
                self.marked(indent, line)

    # --- files -------------------------------------------------------------------------------------------------------

    def declarations(self, extern: str) -> str:
        """Globals that both files see; in the visible one they are defined."""
        shown = {
            "level": "int level",
            "shared": "struct node *shared",
            "chosen": "int (*chosen)(struct node *, int)",
            "hooks": "struct hooks hooks",
        }
        start = {"level": " = 1", "chosen": " = visit", "hooks": " = { visit, drop }"}
        lines = [extern + shown[name] + ("" if extern else start.get(name, "")) + ";" for name in sorted(self.globals)]
        return "\n".join(lines) + "\n"

    def visible(self, size: int) -> str:
        random = self.random
        callbacks = CALLBACKS.replace("CALLBACK", random.choice(CALLBACK)).replace("VISIT", random.choice(VISIT))
        functions = "".join(f"extern {head};\n" for head in self.heads.values()) + "extern int pick(void);\n"
        kind = random.choice(("static const ", "static "))
        table = f"{kind}struct hooks table[2] = {{ {{ visit, drop }}, {{ visit, NULL }} }};\n" if self.hooks else ""
        self.lines = ["int main(int argc, char **argv)" if self.arguments else "int main(void)", "{"]
        self.lines.append("    struct node *p0 = NULL, *p1 = NULL, *p2 = NULL;")
        self.lines.append("    int i0 = 0, i1 = 1, a[3] = { 0, 1, 2 };")
        self.lines.append("    struct pair w = { 0, 1 };")
        if "shared" in self.globals:
            self.lines.append("    struct node n = { 5, NULL, NULL }, *slots[2] = { NULL, NULL };")
            self.lines.append("    struct box box = { 0, 1, NULL };")
        made = random.sample(("p0", "p1", "p2"), random.choice((1, 2, 2, 3)))
        for name in made:
            self.lines += [f"    {name} = malloc(sizeof(struct node));", f"    {name}->data = 1;"]
            self.lines += [f"    {name}->next = {random.choice(('NULL', name, 'p0'))};", f"    {name}->other = NULL;"]
        for name in self.pointers[3:]:
            self.lines += [f"    {name} = {random.choice(made)};"] if random.random() < 0.4 else []
        self.pointers += made
        for _ in range(size):
            self.statement()
        self.lines += ["    mix(i0);", "    return (int)checksum;", "}"]
        parts = [INCLUDES, TYPES, functions, PRIVATE, callbacks, self.declarations(""), table]
        return "".join(parts) + "\n".join(self.lines) + "\n"

    def hidden(self) -> str:
        """The bodies, and a main with random arguments."""
        random = self.random
        bodies = "".join(body(random, head, frozenset(self.globals)) for head in self.heads.values())
        own = "static int hidden_run(struct node *p, int n)\n{\n    if (p) p->next = NULL;\n    return n + 1;\n}\n"
        own += "static void hidden_tell(void)\n{\n    turn++;\n}\n"
        main: list[str] = []
        if self.arguments:
            words = [random.choice(("", "a", "ab", "-x")) for _ in range(random.randint(0, 2))]
            main += [f'static char word{n}[] = "{word}";' for n, word in enumerate(words)]
            names = ", ".join([*(f"word{n}" for n in range(len(words))), "NULL"])
            main += [f"static char *words[] = {{ {names} }};", f"extern int {RENAMED_MAIN}(int, char **);"]
            main += ["int main(void)", "{", f"    return {RENAMED_MAIN}({len(words)}, words);", "}"]
        head = "#include <stdlib.h>\n\n" + TYPES + self.declarations("extern ") + STATE
        return head + own + number_source(random, "pick") + bodies + "\n".join(main) + "\n"


def generate_externals(seed: int, size: int = 6) -> TwoFiles:
    """Half of the programs hand over and share data only, which more engines follow."""
    random = Random(seed)
    writer = HiddenWriter(random, nodes=seed % 2 == 0, by_pointer=seed % 6 >= 4)
    return TwoFiles(writer.visible(size), writer.hidden())


def generate_hooks(seed: int, size: int = 6) -> TwoFiles:
    """Tables of pointers to functions, and arguments of main."""
    random = Random(seed)
    writer = HiddenWriter(random, nodes=seed % 4 == 0, hooks=seed % 3 != 0, arguments=seed % 3 != 1)
    return TwoFiles(writer.visible(size), writer.hidden())


def generate_callers(seed: int, size: int = 6) -> TwoFiles:
    """A function with a hidden caller; its inputs are separate, or with every other seed anything."""
    return caller(Random(seed), size, overlapping=seed % 2 == 1)


def _with_caller(kind: Callable[[int, int], str]) -> Callable[[int, int], TwoFiles]:
    return lambda seed, size: hidden_caller(Random(seed), kind(seed, size))


# Kinds of programs in two files, with their sizes.
TWO_FILE_KINDS: Mapping[str, tuple[Callable[[int, int], TwoFiles], int]] = {
    "externals": (generate_externals, 7),
    "data": (generate_data_pointers, 6),
    "hooks": (generate_hooks, 7),
    "callers": (generate_callers, 7),
    "inputs": (_with_caller(lambda seed, size: generate_parts(seed, size, inputs=True)), 5),
    "predicates": (_with_caller(generate_with_predicates), 5),
}
