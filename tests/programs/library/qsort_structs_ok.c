// expect: safe
#include <assert.h>
#include <stdlib.h>

struct pair {
    int key;
    struct pair *self;
};

static int by_key(const void *left, const void *right)
{
    return ((const struct pair *)left)->key - ((const struct pair *)right)->key;
}

int main(void)
{
    struct pair pairs[2] = {{2, NULL}, {1, NULL}};
    qsort(pairs, 2, sizeof(struct pair), by_key);
    assert(pairs[0].key + pairs[1].key == 3);
    assert(pairs[0].self == NULL);
    return 0;
}
