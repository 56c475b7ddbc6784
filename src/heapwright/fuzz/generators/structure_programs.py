"""Random programs made of what people do with linked structures: build one of any size, change it a few times, free it.

Unlike those of pointer_programs.py they are mostly right, and of unbounded size: there is something to prove. One of
three gets a mistake, by a change of one line (fuzz/mutate.py).

>>> "int main(void)" in generate_shapes(1) and generate_shapes(1) == generate_shapes(1)
True
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from heapwright.fuzz.mutate import mutants

HEADER = """\
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
"""


@dataclass(frozen=True)
class Shape:
    """`build` and `free` are the bodies of functions that make one and free one; `changes` those of functions that take
    one and return one. `x` is the structure, `p`, `q`, `r` are pointers to its nodes, `k` is a number, and `NEW` stands
    for a new node at `p`."""

    fields: tuple[str, ...]
    build: str
    changes: Mapping[str, str]
    free: str


NEW = """
    p = malloc(sizeof *p);
    p->key = __VERIFIER_nondet_int();
"""

SINGLY = Shape(
    fields=("struct node *next;",),
    build="""
        while (__VERIFIER_nondet_int()) {
            NEW
            p->next = x;
            x = p;
        }
    """,
    changes={
        "prepend": """
            NEW
            p->next = x;
            x = p;
        """,
        "append": """
            NEW
            p->next = NULL;
            if (x == NULL) {
                x = p;
            } else {
                q = x;
                while (q->next != NULL) {
                    q = q->next;
                }
                q->next = p;
            }
        """,
        "pop": """
            if (x != NULL) {
                p = x;
                x = x->next;
                free(p);
            }
        """,
        "reverse": """
            q = NULL;
            while (x != NULL) {
                p = x;
                x = x->next;
                p->next = q;
                q = p;
            }
            x = q;
        """,
        "remove": """
            q = NULL;
            p = x;
            while (p != NULL && p->key != k) {
                q = p;
                p = p->next;
            }
            if (p != NULL) {
                if (q == NULL) {
                    x = p->next;
                } else {
                    q->next = p->next;
                }
                free(p);
            }
        """,
        "insert": """
            q = x;
            while (q != NULL && q->key < k) {
                q = q->next;
            }
            if (q != NULL) {
                NEW
                p->next = q->next;
                q->next = p;
            }
        """,
        "count": """
            k = 0;
            p = x;
            while (p != NULL) {
                k = k + 1;
                p = p->next;
            }
        """,
        "mark": """
            p = x;
            while (p != NULL) {
                if (p->key > k) {
                    p->key = k;
                }
                p = p->next;
            }
        """,
        "swap": """
            if (x != NULL && x->next != NULL) {
                p = x->next;
                x->next = p->next;
                p->next = x;
                x = p;
            }
        """,
        "split": """
            q = NULL;
            p = x;
            while (p != NULL) {
                r = p->next;
                if (p->key > k) {
                    p->next = q;
                    q = p;
                } else {
                    free(p);
                }
                p = r;
            }
            x = q;
        """,
    },
    free="""
        while (x != NULL) {
            p = x;
            x = x->next;
            free(p);
        }
    """,
)

DOUBLY = Shape(
    fields=("struct node *next;", "struct node *prev;"),
    build="""
        while (__VERIFIER_nondet_int()) {
            NEW
            p->next = x;
            p->prev = NULL;
            if (x != NULL) {
                x->prev = p;
            }
            x = p;
        }
    """,
    changes={
        "prepend": """
            NEW
            p->next = x;
            p->prev = NULL;
            if (x != NULL) {
                x->prev = p;
            }
            x = p;
        """,
        "insert": """
            if (x != NULL) {
                NEW
                p->next = x->next;
                p->prev = x;
                if (x->next != NULL) {
                    x->next->prev = p;
                }
                x->next = p;
            }
        """,
        "remove": """
            p = x;
            while (p != NULL && p->key != k) {
                p = p->next;
            }
            if (p != NULL) {
                if (p->prev != NULL) {
                    p->prev->next = p->next;
                } else {
                    x = p->next;
                }
                if (p->next != NULL) {
                    p->next->prev = p->prev;
                }
                free(p);
            }
        """,
        "there and back": """
            p = x;
            while (p != NULL && p->next != NULL) {
                p = p->next;
            }
            while (p != NULL && p->prev != NULL) {
                p = p->prev;
            }
        """,
    },
    free=SINGLY.free,
)

CIRCULAR = Shape(
    fields=("struct node *next;",),
    build="""
        NEW
        p->next = p;
        x = p;
        while (__VERIFIER_nondet_int()) {
            NEW
            p->next = x->next;
            x->next = p;
        }
    """,
    changes={
        "insert": """
            NEW
            p->next = x->next;
            x->next = p;
        """,
        "rotate": """
            x = x->next;
        """,
        "walk": """
            p = x->next;
            while (p != x) {
                if (p->key > k) {
                    p->key = k;
                }
                p = p->next;
            }
        """,
        "remove": """
            p = x->next;
            if (p != x) {
                x->next = p->next;
                free(p);
            }
        """,
    },
    free="""
        p = x->next;
        while (p != x) {
            q = p->next;
            free(p);
            p = q;
        }
        free(x);
    """,
)

TREE = Shape(
    fields=("struct node *left;", "struct node *right;"),
    build="""
        while (__VERIFIER_nondet_int()) {
            NEW
            p->left = NULL;
            p->right = NULL;
            if (x == NULL) {
                x = p;
            } else {
                q = x;
                while (q != NULL) {
                    r = q;
                    if (p->key < q->key) {
                        q = q->left;
                    } else {
                        q = q->right;
                    }
                }
                if (p->key < r->key) {
                    r->left = p;
                } else {
                    r->right = p;
                }
            }
        }
    """,
    changes={
        "search": """
            p = x;
            while (p != NULL && p->key != k) {
                if (k < p->key) {
                    p = p->left;
                } else {
                    p = p->right;
                }
            }
        """,
        "rotate": """
            if (x != NULL && x->left != NULL) {
                p = x->left;
                x->left = p->right;
                p->right = x;
                x = p;
            }
        """,
        "root": """
            NEW
            p->left = x;
            p->right = NULL;
            x = p;
        """,
        "mirror": """
            if (x != NULL) {
                p = x->left;
                x->left = x->right;
                x->right = p;
            }
        """,
    },
    free="""
        while (x != NULL) {
            if (x->left != NULL) {
                p = x->left;
                x->left = p->right;
                p->right = x;
                x = p;
            } else {
                p = x;
                x = x->right;
                free(p);
            }
        }
    """,
)

NESTED = Shape(
    fields=("struct node *next;", "struct node *down;"),
    build="""
        while (__VERIFIER_nondet_int()) {
            NEW
            p->next = x;
            p->down = NULL;
            x = p;
            while (__VERIFIER_nondet_int()) {
                q = malloc(sizeof *q);
                q->key = 0;
                q->down = NULL;
                q->next = x->down;
                x->down = q;
            }
        }
    """,
    changes={
        "walk": """
            p = x;
            while (p != NULL) {
                q = p->down;
                while (q != NULL) {
                    q->key = k;
                    q = q->next;
                }
                p = p->next;
            }
        """,
        "deepen": """
            if (x != NULL) {
                q = malloc(sizeof *q);
                q->key = k;
                q->down = NULL;
                q->next = x->down;
                x->down = q;
            }
        """,
        "lift": """
            if (x != NULL && x->down != NULL) {
                q = x->down;
                x->down = q->next;
                free(q);
            }
        """,
    },
    free="""
        while (x != NULL) {
            while (x->down != NULL) {
                q = x->down;
                x->down = q->next;
                free(q);
            }
            p = x;
            x = x->next;
            free(p);
        }
    """,
)

SHARED = Shape(
    fields=("struct node *next;", "struct node *owner;"),
    build="""
        r = malloc(sizeof *r);
        r->key = 0;
        r->next = NULL;
        r->owner = NULL;
        x = r;
        while (__VERIFIER_nondet_int()) {
            NEW
            p->owner = r;
            p->next = r->next;
            r->next = p;
        }
    """,
    changes={
        "count": """
            p = x->next;
            while (p != NULL) {
                p->owner->key = p->owner->key + 1;
                p = p->next;
            }
        """,
        "pop": """
            p = x->next;
            if (p != NULL) {
                x->next = p->next;
                free(p);
            }
        """,
        "push": """
            NEW
            p->owner = x;
            p->next = x->next;
            x->next = p;
        """,
        "check": """
            p = x->next;
            if (p != NULL && p->owner == x) {
                p->key = k;
            }
        """,
    },
    free=SINGLY.free,
)

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
