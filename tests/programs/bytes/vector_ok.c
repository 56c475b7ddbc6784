// expect: safe
// A container that copies elements of a size that is given at run time.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct vector {
    void *data;
    size_t size;
    size_t count;
};

static void push(struct vector *v, const void *x)
{
    memcpy((char *)v->data + v->size * v->count++, x, v->size);
}

int main(void)
{
    struct vector v = {malloc(3 * sizeof(int)), sizeof(int), 0};
    int x = 1;
    push(&v, &x);
    x = 2;
    push(&v, &x);
    assert(((int *)v.data)[0] == 1 && ((int *)v.data)[1] == 2);
    free(v.data);
    return 0;
}
