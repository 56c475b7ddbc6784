// expect: unsafe
// The result is stored, whether it overflows or not.
#include <assert.h>

int main(void)
{
    int sum = 0;
    if (__builtin_add_overflow(0x7fffffff, 2, &sum))
        assert(sum == 0); // BAD: assert
    return 0;
}
