// expect: unsafe
// options: --function use
// gcc: no a C test cannot set the elements of a global array yet
// The same for an array, and for a variable that lives on from call to call.
#include <assert.h>

int table[3];

int use(void)
{
    static int calls;
    assert(table[1] == 0); // BAD: assert
    assert(calls == 0);    // BAD: assert
    return calls++;
}
