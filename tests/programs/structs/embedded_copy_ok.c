// expect: safe
// Copying a struct whose member's address is taken copies values, and every copy has a member of its own.
#include <assert.h>

struct inner {
    int value;
};

struct outer {
    int before;
    struct inner inner;
};

int main(void)
{
    struct outer a = {1, {2}}, b;
    struct inner *p = &a.inner;
    b = a;
    p->value = 3;
    struct inner *q = &b.inner;
    assert(a.inner.value == 3 && b.inner.value == 2 && q->value == 2 && p != q);
    return 0;
}
