// expect: unsafe
// A link embedded in a struct, and back from the link to the struct.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next;
};

struct item {
    int value;
    struct link link;
};

int main(void)
{
    struct item *first = malloc(sizeof *first);
    struct item *second = malloc(sizeof *second);
    first->link.next = &second->link;
    second->link.next = NULL;
    struct link *last = first->link.next;
    struct item *found = (struct item *)((char *)last - offsetof(struct item, link));
    found->value = 1;
    free(found);
    second->value = 2; // BAD: use-after-free
    free(first);
    return 0;
}
