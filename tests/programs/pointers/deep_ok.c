// expect: safe
// Three levels of pointers, and an array of pointers to pointers.
#include <assert.h>

int main(void)
{
    int x = 1, y = 2;
    int *p = &x;
    int **pp = &p;
    int ***ppp = &pp;
    **ppp = &y;
    assert(*p == 2 && ***ppp == 2);
    int *q = &x;
    int **table[2] = {&p, &q};
    *table[0] = *table[1];
    assert(p == &x && p == q);
    return 0;
}
