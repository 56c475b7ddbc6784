// expect: safe
// Two dimensions, an initialiser, and an array passed to a function.
#include <assert.h>

static int trace(int m[2][2])
{
    return m[0][0] + m[1][1];
}

int main(void)
{
    int m[2][2] = {{1, 2}, {3, 4}};
    assert(trace(m) == 5);
    m[1][0] += m[0][1];
    assert(m[1][0] == 5);
    return 0;
}
