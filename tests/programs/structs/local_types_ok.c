// expect: safe
// The same tag and the same names in different scopes are different things.
#include <assert.h>

static int small(void)
{
    struct thing {
        int a;
    } t = {1};
    return t.a;
}

static int large(void)
{
    struct thing {
        int b, a;
    } t = {2, 3};
    int result = t.a;
    {
        int result = 10;
        int t = result + 1;
        assert(t == 11);
    }
    return result;
}

int main(void)
{
    assert(small() + large() == 4);
    return 0;
}
