// expect: safe
// calloc gives zeros and null pointers; free accepts null.
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *n = calloc(1, sizeof *n);
    assert(n->value == 0 && n->next == NULL);
    free(n->next);
    free(n);
    int *a = calloc(3, sizeof(int));
    a[2]++;
    assert(a[2] == 1 && a[0] == 0);
    free(a);
    return 0;
}
