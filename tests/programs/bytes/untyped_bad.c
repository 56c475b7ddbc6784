// expect: unsafe
// The last node of the arena lies partly behind its end.
#include <stdlib.h>

struct node { int value; struct node *next; };

int main(void)
{
    char *base = malloc(40);
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = (struct node *)(base + i * sizeof *n);
        n->value = i;
        n->next = list; // BAD: bounds
        list = n;
    }
    free(base);
    return 0;
}
