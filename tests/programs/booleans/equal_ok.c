// expect: safe
// Two marks that are always different, compared with each other and with a pointer.
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
        assert(full == (box != NULL));
    }
    free(box);
    return 0;
}
