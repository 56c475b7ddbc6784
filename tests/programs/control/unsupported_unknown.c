// expect: unknown
// gcc: no memory is touched
// options: --property unreach-call
// A run comes to setjmp, where the error function may be called next, for all that is known.
#include <setjmp.h>

extern void reach_error(void);

static jmp_buf place;

int main(void)
{
    if (setjmp(place) != 0)
        reach_error();
    return 0;
}
