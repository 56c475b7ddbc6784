// expect: safe
// A copy of a part of an object: whole scalars arrive, the others stay.
#include <assert.h>
#include <string.h>

struct triple {
    int a;
    int b;
    int c;
};

int main(void)
{
    struct triple x = {1, 2, 3};
    struct triple y = {4, 5, 6};
    memcpy(&x, &y, 2 * sizeof(int));
    assert(x.a == 4 && x.b == 5 && x.c == 3);
    memset(&x.b, 0, sizeof(int));
    assert(x.a == 4 && x.b == 0 && x.c == 3);
    memmove(&y.b, &y.a, 2 * sizeof(int));
    assert(y.a == 4 && y.b == 4 && y.c == 5);
    return 0;
}
