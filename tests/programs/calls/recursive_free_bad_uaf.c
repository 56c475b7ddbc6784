// expect: unsafe
// Frees a node before it goes on to the next, which nothing live reaches then.
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
        free(list); // BAD: leak
        destroy(list->next); // BAD: use-after-free
    }
}

int main(void)
{
    destroy(build(3));
    return 0;
}
