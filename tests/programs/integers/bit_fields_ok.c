// expect: safe
// Bit-fields keep their width and leave their neighbours alone.
#include <assert.h>
#include <stdlib.h>

struct flags {
    unsigned low : 3;
    unsigned high : 5;
    signed int sign : 2;
    struct flags *next;
};

int main(void)
{
    struct flags *f = calloc(1, sizeof *f);
    f->low = 7;
    f->high = 33;
    f->sign = -1;
    assert(f->low == 7 && f->high == 1 && f->sign == -1 && !f->next);
    f->low++;
    assert(f->low == 0 && f->high == 1);
    free(f);
    return 0;
}
