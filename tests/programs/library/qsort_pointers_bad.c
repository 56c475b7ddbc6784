// expect: unsafe
// A comparison of elements that are pointers.
#include <stdlib.h>

struct pair {
    int key;
    struct pair *next;
};

static int by_key(const void *left, const void *right)
{
    const struct pair *first = *(struct pair *const *)left;
    const struct pair *second = *(struct pair *const *)right;
    return first->key - second->key; // BAD: null-deref
}

int main(void)
{
    struct pair one = {1, NULL};
    struct pair *pairs[2] = {&one, NULL};
    qsort(pairs, 2, sizeof pairs[0], by_key);
    return 0;
}
