// expect: unsafe
// Two variables hold one node, and both are freed.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *one = malloc(sizeof *one);
    struct node *other = one;
    free(one);
    free(other); // BAD: double-free
    return 0;
}
