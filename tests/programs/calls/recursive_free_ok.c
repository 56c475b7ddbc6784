// expect: safe
// Builds and frees a list by recursion.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
};

static struct node *build(int depth)
{
    if (depth == 0 || __VERIFIER_nondet_bool())
        return NULL;
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = build(depth - 1);
    return fresh;
}

static void destroy(struct node *list)
{
    if (list) {
        destroy(list->next);
        free(list);
    }
}

int main(void)
{
    destroy(build(3));
    return 0;
}
