// expect: unsafe
// The back pointer of the second node still leads to a node that was freed.
#include <stdlib.h>

struct item {
    struct item *next;
    struct item *prev;
};

int main(void)
{
    struct item *first = malloc(sizeof *first);
    struct item *second = malloc(sizeof *second);
    first->next = second;
    first->prev = NULL;
    second->next = NULL;
    second->prev = first;
    free(first);
    if (second->prev)
        second->prev->next = NULL; // BAD: use-after-free
    free(second);
    return 0;
}
