// expect: safe
// Side effects in conditions, comma, conditional and statement expressions, ++ and --, compound assignment.
#include <assert.h>

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

int main(void)
{
    int i = 0, n = 0;
    while (i++ < 3)
        n += i;
    assert(i == 4 && n == 6);
    int j = (i--, i * 2);
    assert(j == 6 && i == 3);
    int k = i > 2 ? (j = 1) : (j = 2);
    assert(k == 1 && j == 1);
    assert(MAX(i++, k) == 3 && i == 4);
    int a[3] = {0, 0, 0}, *p = a;
    *p++ = 5;
    *p = 6;
    a[2] = a[0] ?: 9;
    assert(p == a + 1 && a[0] == 5 && a[1] == 6 && a[2] == 5);
    a[--i - 3] -= 2;
    i <<= 2;
    i |= 1;
    i %= 5;
    assert(a[0] == 3 && i == 3);
    int x, y;
    x = y = 4;
    for (x = 0, y = 3; x < y; ++x, --y)
        ;
    assert(x == 2 && y == 1);
    return 0;
}
