"""Random statements over nodes, integers, pointers to pointers and embedded links, for pointer_programs.py."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

CONTAINER = "((struct node *)((char *)({0}) - __builtin_offsetof(struct node, link)))"


class StatementWriter:
    """Writes statements. Variables are fixed pools: nodes `p0..`, integers `i0..`, pointers to pointers `pp0..`, links
    `l0..`."""

    def __init__(self, random: Random, *, plain: bool = False) -> None:
        self.random = random
        self.plain = plain  # no addresses of fields and variables, no arrays: heaps of nodes and nothing else
        self.lines: list[str] = []
        self.depth = 1
        self.loops = 0
        self.functions: list[str] = []
        self.in_main = True
        self.names = 0

    # --- words ----------------------------------------------------------------------------------------------------

    def node(self) -> str:
        pool = ["p0", "p1", "p2", "global"] if self.in_main else ["p0", "p1", "global"]
        return self.random.choice(pool)

    def integer(self) -> str:
        return self.random.choice(["i0", "i1", "i2"] if self.in_main else ["i0", "i1"])

    def number(self) -> str:
        return str(self.random.choice([0, 1, 2, 3, 5, 7, -1, 100, 255, 256, 40000, -3]))

    def expression(self, depth: int = 2) -> str:
        """An integer expression without side effects or dereferences."""
        random = self.random
        if depth == 0 or random.random() < 0.3:
            return random.choice([self.integer(), self.number(), "counters[1]", f"(int)sizeof(struct {self.record()})"])
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        shapes: list[Callable[[], str]] = [
            lambda: f"({left} {random.choice(['+', '-', '*', '&', '|', '^'])} {right})",
            lambda: f"({left} {random.choice(['<', '<=', '==', '!=', '>'])} {right})",
            lambda: f"({random.choice(['-', '~', '!'])}({left}))",
            lambda: f"({left} << {random.randint(0, 4)})",
            lambda: f"((unsigned){left} >> {random.randint(1, 5)})",
            lambda: f"({random.choice(['char', 'short', 'unsigned char', 'unsigned', '_Bool', 'long'])}){left}",
            lambda: f"({left} ? {right} : {self.number()})",
            lambda: f"({left} && {right})",
            lambda: f"({left} || {right})",
        ]
        return "(" + random.choice(shapes)() + ")"

    def record(self) -> str:
        return self.random.choice(["node", "pair", "link"])

    def condition(self) -> str:
        random, node = self.random, self.node()
        if self.plain:
            tests = [node, f"{node} && {node}->next", f"{node} == {self.node()}", f"{node} && {node}->data == 1"]
            return random.choice([*tests, "__VERIFIER_nondet_int() > 0"])
        return random.choice(
            [
                node,
                f"!{node}",
                f"{node} && {node}->next",
                f"{node} == {self.node()}",
                f"{node} != NULL && {node}->data < {self.number()}",
                self.expression(1),
                f"__VERIFIER_nondet_int() > {random.randint(-1, 2)}",
            ]
        )

    def guarded(self, node: str, action: str) -> str:
        """Mostly a null test before an access, so that programs get beyond their first lines."""
        return f"if ({node}) {action}" if self.random.random() < 0.9 else action

    # --- statements -----------------------------------------------------------------------------------------------

    def put(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def block(self, head: str, size: int) -> None:
        self.put(head + " {")
        self.depth += 1
        for _ in range(size):
            self.statement()
        self.depth -= 1
        self.put("}")

    def statement(self) -> None:
        choices = [
            (self.allocate, 5),
            (self.move, 5),
            (self.link_up, 6),
            (self.arithmetic, 5),
            (self.heap_data, 5),
            (self.release, 2),
            (self.branch, 3),
            (self.loop, 2),
            (self.pointers_to_pointers, 2),
            (self.embedded, 2),
            (self.values, 2),
            (self.arrays, 2),
            (self.switch, 1),
            (self.call, 2),
            (self.words, 1),
        ]
        if self.plain:
            simple = (self.allocate, self.move, self.link_up, self.heap_data, self.release, self.branch, self.loop)
            choices = [(action, weight) for action, weight in choices if action in (*simple, self.call)]
            choices[3:3] = [(self.splice, 4), (self.unlink, 2), (self.seek, 1)]
        actions, weights = zip(*choices, strict=True)
        if self.depth > 3:
            actions, weights = actions[:6], weights[:6]
        self.random.choices(actions, weights)[0]()

    def allocate(self) -> None:
        node, kind = self.node(), self.random.random()
        if self.plain:
            self.put(f"{node} = malloc(sizeof(struct node));")
            if kind < 0.9:
                self.put(f"{node}->next = {self.random.choice([self.node(), 'NULL'])};")
                self.put(f"{node}->other = {self.random.choice([self.node(), 'NULL', 'NULL'])};")
                self.put(f"{node}->data = {self.random.choice('01')};")
        elif kind < 0.5:
            self.put(f"{node} = malloc(sizeof(struct node));")
            self.put(f"{node}->data = {self.expression(1)};")
            self.put(f"{node}->next = {self.random.choice([self.node(), 'NULL'])};")
            self.put(f"{node}->other = NULL; {node}->pair.low = 0; {node}->pair.high = 1; {node}->flag = 0;")
            self.put(f"{node}->link.next = {node}->link.prev = NULL;")
        elif kind < 0.8:
            self.put(f"{node} = calloc(1, sizeof *{node});")
        else:
            self.put(f"{node} = make({self.number()}, {self.node()});")

    def move(self) -> None:
        target, source, field = self.node(), self.node(), self.random.choice(["next", "other"])
        if self.random.random() < 0.5:
            self.put(f"{target} = {self.random.choice([source, 'NULL'])};")
        else:
            self.put(self.guarded(source, f"{target} = {source}->{field};"))

    def link_up(self) -> None:
        target, field = self.node(), self.random.choice(["next", "other"])
        value = self.random.choice([self.node(), self.node(), "NULL"])
        self.put(self.guarded(target, f"{target}->{field} = {value};"))

    # Lists as programs keep them, singly or doubly linked through `other`, in rings or ending in null.

    def splice(self) -> None:
        """A new node behind another one, or a ring of one node."""
        target, neighbour = self.node(), self.node()
        while target == neighbour:
            neighbour = self.node()
        self.put(f"{target} = malloc(sizeof(struct node));")
        self.put(f"{target}->next = {target}->other = {target}; {target}->data = 0;")
        if self.random.random() < 0.75:
            self.put(f"if ({neighbour}) {{")
            self.put(f"    {target}->next = {neighbour}->next;")
            self.put(f"    {target}->other = {neighbour};")
            if self.random.random() < 0.8:
                self.put(f"    if ({neighbour}->next) {neighbour}->next->other = {target};")
            self.put(f"    {neighbour}->next = {target};")
            self.put("}")

    def unlink(self) -> None:
        """The node behind another one goes."""
        neighbour = self.node()
        self.names += 1
        gone = f"gone{self.names}"
        self.put(f"if ({neighbour} && {neighbour}->next && {neighbour}->next != {neighbour}) {{")
        self.put(f"    struct node *{gone} = {neighbour}->next;")
        self.put(f"    {neighbour}->next = {gone}->next;")
        if self.random.random() < 0.7:
            self.put(f"    if ({gone}->next) {gone}->next->other = {neighbour};")
        if self.random.random() < 0.9:
            self.put(f"    free({gone});")
        self.put("}")

    def seek(self) -> None:
        node, field = self.node(), self.random.choice(["next", "next", "other"])
        stop = self.random.choice([f"{node}->{field} != {self.node()}", "__VERIFIER_nondet_int() > 0"])
        self.put(f"while ({node} && {stop} && __VERIFIER_nondet_int() > 0) {node} = {node}->{field};")

    def arithmetic(self) -> None:
        target = self.integer()
        op = self.random.choice(["=", "=", "+=", "-=", "*=", "^=", "|=", "<<="])
        value = str(self.random.randint(0, 3)) if op == "<<=" else self.expression()
        self.put(self.random.choice([f"{target} {op} {value};", f"{target}++;", f"--{target};"]))
        self.put(f"mix({target});")

    def heap_data(self) -> None:
        node = self.node()
        if self.plain:
            self.put(self.guarded(node, f"{node}->data = {self.random.choice('01')};"))
            return
        value = self.expression(1)
        self.put(
            self.random.choice(
                [
                    self.guarded(node, f"{node}->data = {value};"),
                    self.guarded(node, f"{node}->data += {value};"),
                    self.guarded(node, f"mix({node}->data);"),
                    self.guarded(node, f"{node}->pair.low = {value};"),
                    self.guarded(node, f"{node}->pair.high -= {value};"),
                    self.guarded(node, f"mix({node}->pair.low + {node}->pair.high);"),
                    self.guarded(node, f"{node}->flag = {value};"),
                    self.guarded(node, f"mix({node}->flag);"),
                    self.guarded(node, f"{self.integer()} = {node}->data++;"),
                ]
            )
        )

    def release(self) -> None:
        node = self.node()
        self.put(f"free({node});")
        if self.random.random() < 0.85:
            self.put(f"{node} = NULL;")

    def branch(self) -> None:
        self.block(f"if ({self.condition()})", self.random.randint(1, 3))
        if self.random.random() < 0.4:
            self.lines[-1] += " else {"
            self.depth += 1
            for _ in range(self.random.randint(1, 2)):
                self.statement()
            self.depth -= 1
            self.put("}")

    def loop(self) -> None:
        self.loops += 1
        if self.plain and self.random.random() < 0.6:
            self.block("while (__VERIFIER_nondet_int() > 0)", self.random.randint(1, 3))
            return
        counter, bound, body = f"k{self.loops}", self.random.randint(1, 3), self.random.randint(1, 3)
        shape = self.random.random()
        if shape < 0.4:
            self.block(f"for (int {counter} = 0; {counter} < {bound}; {counter}++)", body)
        elif shape < 0.7:
            node = self.node()
            head = f"for (struct node *q{self.loops} = {node}; q{self.loops} && {counter} < {bound};"
            self.put(f"int {counter} = 0;")
            self.block(f"{head} q{self.loops} = q{self.loops}->next, {counter}++)", 1)
        else:
            self.put(f"int {counter} = {bound};")
            self.block(f"while ({counter}-- > 0)", body)
            if self.random.random() < 0.5:
                self.lines.insert(-1, "    " * (self.depth + 1) + f"if ({self.condition()}) break;")

    def pointers_to_pointers(self) -> None:
        """Pointers to pointers."""
        self.names += 1
        name, node = f"pp{self.names}", self.node()
        if self.random.random() < 0.5:
            self.put(f"struct node **{name} = &{node};")
        else:
            self.put(f"struct node **{name} = {node} ? &{node}->next : &global;")
        self.put(self.random.choice([f"*{name} = {self.node()};", f"if (*{name}) mix((*{name})->data);"]))
        if self.random.random() < 0.5:
            self.put(f"if (*{name}) {name} = &(*{name})->next;")
            self.put(f"{self.node()} = *{name};")

    def embedded(self) -> None:
        """List nodes inside other structs."""
        self.names += 1
        name, node, second = f"l{self.names}", self.node(), self.node()
        self.put(f"if ({node}) {{")
        self.put(f"    struct link *{name} = &{node}->link;")
        self.put(f"    {name}->next = {second} ? &{second}->link : NULL;")
        self.put(f"    if ({name}->next) {{")
        self.put(f"        {name}->next->prev = {name};")
        self.put(f"        {self.node()} = {CONTAINER.format(f'{name}->next')};")
        self.put("    }")
        self.put("}")

    def values(self) -> None:
        """Structs by value."""
        self.names += 1
        name, node = f"s{self.names}", self.node()
        self.put(f"struct pair {name} = {{ {self.number()}, .high = {self.number()} }};")
        action = self.random.choice(
            [f"{node}->pair = {name};", f"{name} = {node}->pair;", f"{name} = swap({node}->pair);"]
        )
        self.put(self.guarded(node, action))
        self.put(f"mix({name}.low * 3 + {name}.high);")

    def arrays(self) -> None:
        self.names += 1
        name, size, kind = f"a{self.names}", self.random.choice([3, 4, 12]), self.random.random()
        index = f"({self.expression(1)}) & 3" if self.random.random() < 0.8 else self.integer()
        if kind < 0.4:
            self.put(f"int {name}[{size}] = {{ {self.number()}, {self.number()} }};")
            self.put(f"{name}[{index}] = {self.expression(1)};")
            self.put(f"mix({name}[1] + {name}[{size - 1}]);")
        elif kind < 0.7:
            self.put(f"int *{name} = calloc({size}, sizeof(int));")
            self.put(f"{name}[{index}] = {self.number()};")
            self.put(f"for (int *w = {name}; w < {name} + {size}; w++) mix(*w);")
            self.put(f"free({name});")
        else:
            self.put(f"struct node *{name}[{size}] = {{ {self.node()}, {self.node()} }};")
            self.put(f"{self.node()} = {name}[{index}];")
        self.put(f"counters[{self.random.randint(0, 2)}]++;")

    def switch(self) -> None:
        self.put(f"switch ({self.integer()} & 3) {{")
        for label in ("case 0:", "case 1:", "case 2 ... 3:"):
            self.put(label)
            self.depth += 1
            self.statement_in_case()
            if self.random.random() < 0.7:
                self.put("break;")
            self.depth -= 1
        self.put("}")

    def statement_in_case(self) -> None:
        self.random.choice([self.move, self.arithmetic, self.heap_data, self.link_up])()

    def call(self) -> None:
        if not self.functions:
            self.move() if self.plain else self.arithmetic()
            return
        name, target = self.random.choice(self.functions), self.node()
        self.put(f"{target} = {name}({self.node()}, {'1' if self.plain else self.expression(1)});")

    def words(self) -> None:
        self.names += 1
        name = f"w{self.names}"
        self.put(f"union word {name}; {name}.number = {self.number()}; mix({name}.number);")
        self.put(
            f'const char *t{self.names} = "{self.random.choice(["", "a", "list"])}"; mix((int)strlen(t{self.names}));'
        )
