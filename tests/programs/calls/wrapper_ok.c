// expect: safe
// options: --malloc-may-fail
// An allocation wrapper that never returns null, and one that frees and clears.
// gcc: keeps
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static void *my_malloc(size_t size)
{
    void *block = malloc(size);
    if (!block)
        exit(1);
    return block;
}

static void my_free(void **place)
{
    free(*place);
    *place = NULL;
}

int main(void)
{
    struct node *n = my_malloc(sizeof(struct node));
    n->next = my_malloc(sizeof *n);
    n->next->next = NULL;
    n->value = 3;
    free(n->next);
    my_free((void **)&n);
    assert(!n);
    my_free((void **)&n);
    return 0;
}
