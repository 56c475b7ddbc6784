// expect: safe
#include <assert.h>

__attribute__((weak)) int hook(void);
__attribute__((weak)) int standard(void)
{
    return 3;
}

int main(void)
{
    if (hook)
        hook();
    assert(standard() == 3);
    return 0;
}
