// expect: unsafe
// Overwrites the link before it is copied: the new node follows itself.
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *prev;
};

static void insert_after(struct node *where, struct node *fresh)
{
    fresh->prev = where;
    where->next = fresh; // BAD: leak
    fresh->next = where->next;
    if (fresh->next)
        fresh->next->prev = fresh;
}

int main(void)
{
    struct node first = {NULL, NULL};
    insert_after(&first, malloc(sizeof(struct node)));
    insert_after(&first, malloc(sizeof(struct node)));
    assert(first.next->next->prev == first.next && !first.next->next->next); // BAD: assert
    free(first.next->next);
    free(first.next);
    return 0;
}
