"""Templates of lists: singly linked, doubly linked, circular."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """`build` and `free` are the bodies of functions that make one and free one; `changes` those of functions that take
    one and return one. `x` is the structure, `p`, `q`, `r` are pointers to its nodes, `k` is a number, and `NEW` stands
    for a new node at `p`."""

    fields: tuple[str, ...]
    build: str
    changes: Mapping[str, str]
    free: str


FREE_LIST = """
        while (x != NULL) {
            p = x;
            x = x->next;
            free(p);
        }
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
    free=FREE_LIST,
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
    free=FREE_LIST,
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
