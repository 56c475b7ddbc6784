// expect: unsafe
// A member of a union is indeterminate after another one was written.
#include <stdlib.h>

union value {
    struct {
        int *pointer;
        int count;
    } box;
    struct {
        long number;
        int kind;
    } plain;
};

int main(void)
{
    union value *v = malloc(sizeof *v);
    int *p = malloc(sizeof *p);
    v->box.pointer = p;
    free(p);
    v->plain.number = 5;
    p = v->box.pointer;
    free(v);
    return *p; // BAD: invalid-deref
}
