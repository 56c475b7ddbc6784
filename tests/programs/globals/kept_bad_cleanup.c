// expect: unsafe
// Under valid-memcleanup every block has to be freed before main returns.
// options: --property valid-memcleanup
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *cache;

int main(void) // BAD: leak
{
    for (int i = 0; i < 2; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = cache;
        cache = fresh;
    }
    return 0;
}
