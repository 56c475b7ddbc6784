// expect: safe
// options: --data-model ILP32
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

int main(void)
{
    assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(size_t) == 4);
    unsigned long u = UINT_MAX;
    u++;
    assert(u == 0 && sizeof(intptr_t) == sizeof(int) && sizeof(int64_t) == 8);
    return 0;
}
