// expect: safe
// explore: unknown
// options: --objects 4
// A list of lists: items and rows are deleted at any place.
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

static void delete_item(struct row *row)
{
    struct item *item = row->items;
    if (item) {
        row->items = item->next;
        free(item);
    }
}

static struct row *delete_empty(struct row *rows)
{
    struct row *before = NULL, *row = rows;
    while (row) {
        struct row *rest = row->next;
        if (!row->items) {
            if (before)
                before->next = rest;
            else
                rows = rest;
            free(row);
        } else {
            before = row;
        }
        row = rest;
    }
    return rows;
}

static void destroy(struct row *rows)
{
    while (rows) {
        struct row *rest = rows->next;
        while (rows->items) {
            struct item *item = rows->items;
            rows->items = item->next;
            free(item);
        }
        free(rows);
        rows = rest;
    }
}

int main(void)
{
    struct row *rows = create();
    for (struct row *row = rows; row; row = row->next)
        if (__VERIFIER_nondet_int())
            delete_item(row);
    rows = delete_empty(rows);
    destroy(rows);
    return 0;
}
