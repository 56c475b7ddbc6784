// expect: unsafe
// Removal does not stop at the sentinel, which lives on the stack.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct link {
    struct link *next, *prev;
};

static void insert(struct link *where, struct link *fresh)
{
    fresh->next = where->next;
    fresh->prev = where;
    where->next->prev = fresh;
    where->next = fresh;
}

static void take(struct link *link)
{
    link->prev->next = link->next;
    link->next->prev = link->prev;
}

int main(void)
{
    struct link sentinel = {&sentinel, &sentinel};
    for (int i = 0; i < 2; i++)
        insert(__VERIFIER_nondet_bool() ? &sentinel : sentinel.prev, malloc(sizeof(struct link)));
    for (int i = 0; i < 3; i++) {
        struct link *first = sentinel.next;
        take(first);
        free(first); // BAD: invalid-free
    }
    return 0;
}
