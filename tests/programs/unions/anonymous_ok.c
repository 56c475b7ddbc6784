// expect: safe
// Only the members that share bytes with the one that is written are lost.
#include <assert.h>

struct record {
    int a;
    union { int b; float f; };
    struct { int c, d; };
};

int main(void)
{
    struct record r = {1, .b = 2, .d = 4};
    struct record *p = &r;
    assert(p->b == 2 && p->d == 4 && p->c == 0);
    int *c = &p->c;
    p->c = 7;
    assert(*c == 7 && p->a == 1);
    return 0;
}
