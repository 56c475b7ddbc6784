// expect: unsafe
// The successor is read from a node that was freed.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    while (list) {
        free(list);
        list = list->next; // BAD: use-after-free
    }
    return 0;
}
