// expect: unsafe
// The wrong one of two marks is compared with a pointer.
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    bool full = false, empty = true;
    int *box = NULL;
    while (__VERIFIER_nondet_bool()) {
        bool before = full;
        full = empty;
        empty = before;
        assert(full != empty);
        if (full && !box)
            box = malloc(sizeof *box);
        if (empty) {
            free(box);
            box = NULL;
        }
        assert(empty == (box != NULL)); // BAD: assert
    }
    free(box);
    return 0;
}
