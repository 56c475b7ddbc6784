// expect: unsafe
// options: --function replace
// What the caller passes stays the caller's; what the function allocates and loses is a leak.
#include <stdlib.h>
#include "heapwright.h"

struct node {
    struct node *next;
};

int replace(struct node *list)
{
    hw_assume(list != NULL);
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = NULL;
    list = fresh;
    return 0; // BAD: leak
}
