// expect: safe
// Every activation has a variable of its own, whose address goes down the recursion.
#include <assert.h>
#include <stddef.h>

static int depth_of(int n, const int *above)
{
    int mine = above ? *above + 1 : 0;
    if (n == 0)
        return mine;
    int below = depth_of(n - 1, &mine);
    assert(mine == (above ? *above + 1 : 0));
    return below;
}

int main(void)
{
    assert(depth_of(3, NULL) == 3);
    return 0;
}
