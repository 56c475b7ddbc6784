// expect: safe
// gcc: keeps
// A block that a global variable holds at the end is no leak.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *kept;

int main(void)
{
    kept = malloc(sizeof *kept);
    kept->next = NULL;
    return 0;
}
