// expect: unsafe
// An element of an array is no block of its own.
#include <assert.h>
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

int main(void)
{
    struct cell *pool = malloc(3 * sizeof(struct cell));
    for (int i = 0; i < 3; i++) {
        pool[i].value = i;
        pool[i].next = i + 1 < 3 ? &pool[i + 1] : NULL;
    }
    int sum = 0;
    for (struct cell *p = pool; p; p = p->next)
        sum += p->value;
    assert(sum == 3);
    free(pool[0].next); // BAD: invalid-free
    return 0;
}
