// expect: unsafe
// Any integer may be the one that breaks the claim.
// gcc: no its input is any integer
#include <assert.h>
#include "heapwright.h"

int main(void)
{
    int x = hw_any_int();
    hw_assume(x > 10);
    assert(x != 42); // BAD: assert
    return 0;
}
