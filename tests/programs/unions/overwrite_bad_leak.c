// expect: unsafe
// The number overwrites the only pointer to the block.
#include <stdlib.h>

union value {
    long number;
    void *pointer;
};

int main(void)
{
    union value *v = malloc(sizeof *v);
    v->pointer = malloc(4);
    v->number = 0; // BAD: leak
    free(v);
    return 0;
}
