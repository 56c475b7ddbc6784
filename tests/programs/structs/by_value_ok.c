// expect: safe
// Structs are copied when they are assigned, passed and returned.
#include <assert.h>

struct point {
    int x, y;
};

struct box {
    struct point low, high;
};

static struct point shift(struct point p, int by)
{
    p.x += by;
    p.y += by;
    return p;
}

int main(void)
{
    struct box a = {{0, 1}, {2, 3}}, b = a;
    b.low = shift(a.high, 10);
    assert(a.low.x == 0 && a.high.x == 2 && b.low.x == 12 && b.low.y == 13 && b.high.y == 3);
    struct point *p = &b.high;
    *p = a.low;
    assert(b.high.y == 1 && shift(*p, 1).x == 1);
    return 0;
}
