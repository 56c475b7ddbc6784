// expect: safe
// The value of an assignment is the value that was stored.
#include <assert.h>

struct s {
    int f;
    unsigned char c;
};

int main(void)
{
    int x = 1, y;
    y = (x = x + 1);
    assert(x == 2 && y == 2);
    y = (x += 2);
    assert(x == 4 && y == 4);
    int a[2] = {5, 6};
    y = a[0] = a[0] + a[1];
    assert(y == 11 && a[0] == 11);
    struct s s = {3, 250};
    y = s.c += 10;
    assert(y == 4 && s.c == 4);
    y = s.f = s.f * s.f;
    assert(y == 9);
    int *p = a;
    int *q = (p = p + 1);
    assert(q == p && *q == 6);
    q = --p;
    assert(q == a);
    if ((x = x - 4) == 0)
        y = 1;
    assert(y == 1 && x == 0);
    int z = (x = 3, x + 1) + (x == 3);
    assert(z == 5);
    return 0;
}
