// expect: unsafe
// The callee cuts off what only a pending call has read; the program ends before that call goes on.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *made(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = __VERIFIER_nondet_int();
        fresh->next = list;
        list = fresh;
    }
    return list;
}

static struct node *turned(struct node *list, struct node *above)
{
    if (above) {
        above->next = NULL;
        list = NULL; // BAD: leak
        exit(0);
    }
    if (!list || !list->next)
        return list;
    struct node *last = turned(list->next, list);
    list->next->next = list;
    return last;
}

int main(void)
{
    free(turned(made(), NULL));
    return 0;
}
