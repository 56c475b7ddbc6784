// expect: safe
// A tagged union: the member that was written is the one that is read.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct value {
    enum { NUMBER, POINTER } tag;
    union {
        int number;
        int *pointer;
    } as;
};

int main(void)
{
    struct value v;
    if (__VERIFIER_nondet_bool()) {
        v.tag = POINTER;
        v.as.pointer = malloc(sizeof(int));
        *v.as.pointer = 5;
    } else {
        v.tag = NUMBER;
        v.as.number = 5;
    }
    assert((v.tag == NUMBER ? v.as.number : *v.as.pointer) == 5);
    if (v.tag == POINTER)
        free(v.as.pointer);
    return 0;
}
