// expect: safe
// Through void *, char * and back.
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    void *data;
};

int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->data = n;
    void *any = n;
    char *bytes = any;
    struct node *back = (struct node *)bytes;
    assert(back == n && ((struct node *)back->data)->value == 1);
    free(any);
    return 0;
}
