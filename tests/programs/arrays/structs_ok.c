// expect: safe
// An array of structs on the heap, linked to a list within.
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
    free(pool);
    return 0;
}
