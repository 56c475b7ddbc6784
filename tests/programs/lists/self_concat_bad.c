// expect: unsafe
// A list appended to itself is a ring: freeing it meets the first node again.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = malloc(sizeof *list);
    list->next->next = NULL;
    struct node *last = list;
    while (last->next)
        last = last->next;
    last->next = list;
    while (list) {
        struct node *next = list->next; // BAD: use-after-free
        free(list);
        list = next;
    }
    return 0;
}
