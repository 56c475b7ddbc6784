// expect: safe
// A table of functions, and a callback.
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static int add(int a, int b)
{
    return a + b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int (*const table[])(int, int) = {add, larger};

static int fold(const struct node *list, int (*combine)(int, int), int start)
{
    for (; list; list = list->next)
        start = combine(start, list->value);
    return start;
}

static void release(struct node *node, void (*how)(void *))
{
    how(node);
}

int main(void)
{
    struct node second = {4, NULL};
    struct node *first = malloc(sizeof *first);
    first->value = 3;
    first->next = &second;
    assert(fold(first, add, 0) == 7 && fold(first, table[1], 0) == 4 && table[0](1, 2) == 3);
    release(first, free);
    return 0;
}
