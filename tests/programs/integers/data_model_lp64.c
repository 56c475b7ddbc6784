// expect: safe
// options: --data-model LP64
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

int main(void)
{
    assert(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(size_t) == 8);
    unsigned long u = UINT_MAX;
    u++;
    assert(u != 0 && sizeof(intptr_t) == sizeof(long long));
    return 0;
}
