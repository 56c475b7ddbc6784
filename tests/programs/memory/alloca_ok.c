// expect: safe
// What alloca gives lives until the function returns, beyond the block that asked for it.
#include <alloca.h>
#include <assert.h>

int main(void)
{
    int *p;
    {
        p = alloca(2 * sizeof(int));
    }
    p[0] = 1;
    p[1] = 2;
    assert(p[0] + p[1] == 3);
    return 0;
}
