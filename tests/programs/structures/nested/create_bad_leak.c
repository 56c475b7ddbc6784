// expect: unsafe
// options: --objects 4
// Frees a row and forgets its items.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
};

struct row {
    struct row *next;
    struct item *items;
};

static struct row *create(void)
{
    struct row *rows = NULL;
    while (__VERIFIER_nondet_int()) {
        struct row *row = malloc(sizeof *row);
        row->items = NULL;
        row->next = rows;
        rows = row;
        while (__VERIFIER_nondet_int()) {
            struct item *item = malloc(sizeof *item);
            item->next = row->items;
            row->items = item;
        }
    }
    return rows;
}

static void destroy(struct row *rows)
{
    while (rows) {
        struct row *rest = rows->next;
        free(rows); // BAD: leak
        rows = rest;
    }
}

int main(void)
{
    struct row *rows = create();
    destroy(rows);
    return 0;
}
