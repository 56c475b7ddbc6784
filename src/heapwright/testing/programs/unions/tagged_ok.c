// expect: safe
// A tag says which member of a union was written.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct box {
    _Bool has_pointer;
    union {
        int *pointer;
        long number;
    } in;
};

int main(void)
{
    struct box box;
    box.has_pointer = __VERIFIER_nondet_bool();
    if (box.has_pointer)
        box.in.pointer = malloc(sizeof(int));
    else
        box.in.number = 1;
    if (box.has_pointer)
        free(box.in.pointer);
    return 0;
}
