"""Random programs over linked structures of any size: build one, change it a few times, free it.

Unlike those of pointer_programs.py they are mostly right, and of unbounded size: there is something to prove. One of
three gets a mistake, by a change of one line (fuzz/mutate.py).

>>> "int main(void)" in generate_shapes(1) and generate_shapes(1) == generate_shapes(1)
True
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from heapwright.fuzz.generators.list_templates import CIRCULAR, DOUBLY, SINGLY, Shape
from heapwright.fuzz.generators.tree_templates import NESTED, SHARED, TREE
from heapwright.fuzz.mutate import mutants

HEADER = """\
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
"""


NEW = """
    p = malloc(sizeof *p);
    p->key = __VERIFIER_nondet_int();
"""

SHAPES: Mapping[str, Shape] = {
    "singly": SINGLY,
    "doubly": DOUBLY,
    "circular": CIRCULAR,
    "tree": TREE,
    "nested": NESTED,
    "shared": SHARED,
}


def generate_shapes(seed: int, size: int = 2) -> str:
    """A program with so many changes at most between building and freeing."""
    random = Random(f"shapes {seed}")
    shape = SHAPES[random.choice(sorted(SHAPES))]
    chosen = [random.choice(sorted(shape.changes)) for _ in range(random.randint(0, size))]
    parts = [HEADER, _struct(shape)]
    parts.append(_function("build", "void", shape.build))
    parts += [_function(name, "struct node *x", shape.changes[name]) for name in sorted(set(chosen))]
    parts.append(_function("destroy", "struct node *x", shape.free + "x = NULL;"))
    calls = "".join(f"    x = {_name(change)}(x);\n" for change in chosen)
    parts.append(f"int main(void)\n{{\n    struct node *x = build();\n{calls}    x = destroy(x);\n    return 0;\n}}\n")
    text = "\n".join(parts)
    if random.random() < 1 / 3:
        found = list(mutants(text))
        text = found[random.randrange(len(found))].text
    return text


def _name(change: str) -> str:
    return change.replace(" ", "_")


def _struct(shape: Shape) -> str:
    fields = "".join(f"    {field}\n" for field in ("int key;", *shape.fields))
    return f"struct node {{\n{fields}}};\n"


def _function(name: str, parameters: str, body: str) -> str:
    """A function that returns `x`, with what its body uses declared."""
    body = body.replace("NEW", NEW)
    words = set(re.findall(r"(?<!>)\b[a-z]+\b", body))
    lines = ["struct node *x = NULL;"] * (parameters == "void")
    lines += [f"struct node *{pointer} = NULL;" for pointer in "pqr" if pointer in words]
    lines += ["int k = __VERIFIER_nondet_int();"] * ("k" in words)
    lines += [line.strip() for line in body.splitlines() if line.strip()]
    depth, written = 1, []
    for line in (*lines, "return x;"):
        depth -= line.startswith("}")
        written.append("    " * depth + line)
        depth += line.endswith("{")
    return f"static struct node *{_name(name)}({parameters})\n{{\n" + "\n".join(written) + "\n}\n"
