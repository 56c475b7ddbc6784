"""Templates of structures with two links per node: trees, lists of lists, lists with a common owner."""

from __future__ import annotations

from heapwright.fuzz.generators.list_templates import FREE_LIST, Shape

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
    free=FREE_LIST,
)
