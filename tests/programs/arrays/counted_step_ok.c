// expect: safe
// Every second slot of an array holds a block; the slots are found by arithmetic on the counter.
#include <stdlib.h>

struct item { int weight; };

int main(void)
{
    struct item **slots = calloc(6, sizeof *slots);
    for (int i = 0; i < 3; i++)
        slots[2 * i] = malloc(sizeof(struct item));
    for (int i = 5; i >= 0; i--)
        if (i % 2 == 0) {
            slots[i]->weight = 1;
            free(slots[i]);
        }
    free(slots);
    return 0;
}
