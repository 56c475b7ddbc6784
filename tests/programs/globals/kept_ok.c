// expect: safe
// A block that a global still reaches when main returns is no leak.
// gcc: keeps
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *cache;

int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = cache;
        cache = fresh;
    }
    return 0;
}
