// expect: safe
// What ++ and -- give, in results, indices, conditions and arguments.
#include <assert.h>

static int n;

static int next(void)
{
    return ++n;
}

static int previous(int *p)
{
    return (*p)--;
}

static int *slot(int *a)
{
    n += 10;
    return &a[n % 2];
}

int main(void)
{
    int a[2] = {0, 0};
    int x = next();
    assert(x == 1 && next() == 2 && n == 2);
    assert(previous(&n) == 2 && n == 1);
    *slot(a) += 3;
    assert(a[1] == 3 && a[0] == 0 && n == 11);
    int i = 0;
    int y = i++ + 5;
    assert(y == 5 && i == 1);
    y = ++i * 2;
    assert(y == 4 && i == 2);
    a[--i] = 7;
    a[i--]++;
    assert(a[1] == 8 && i == 0);
    int c = a[0]-- - --a[1];
    assert(c == -7 && a[0] == -1 && a[1] == 7);
    unsigned char u = 255;
    int w = u++;
    assert(w == 255 && u == 0);
    int t = (x == 1 && (y = 9)) || (y = 1);
    assert(t && y == 9);
    t = (x != 1 && (y = 2)) || !(y = 0);
    assert(t && y == 0);
    int z = 0;
    switch (i) {
        int skipped;
    case 0:
        skipped = 3;
        z = skipped;
    }
    assert(z == 3);
    return 0;
}
