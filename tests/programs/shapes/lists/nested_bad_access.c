// expect: unsafe
// options: --objects 3
// gcc: no a dead variable on the stack still holds the lost node when the run ends
// A row is freed before its nodes.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

struct row {
    struct row *next;
    struct node *nodes;
};

int main(void)
{
    struct row *rows = NULL;
    while (__VERIFIER_nondet_int()) {
        struct row *row = malloc(sizeof *row);
        row->nodes = NULL;
        row->next = rows;
        rows = row;
        while (__VERIFIER_nondet_int()) {
            struct node *node = malloc(sizeof *node);
            node->next = row->nodes;
            row->nodes = node;
        }
    }
    while (rows) {
        struct row *row = rows;
        rows = row->next;
        free(row); // BAD: leak
        while (row->nodes) { // BAD: use-after-free
            struct node *node = row->nodes;
            row->nodes = node->next;
            free(node);
        }
        free(row);
    }
    return 0;
}
