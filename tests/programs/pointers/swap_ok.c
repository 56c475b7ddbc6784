// expect: safe
// Pointers to variables and to pointers.
#include <assert.h>

static void swap(int **a, int **b)
{
    int *t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    int x = 1, y = 2;
    int *p = &x, *q = &y;
    int **r = &p;
    swap(&p, &q);
    assert(*p == 2 && *q == 1 && **r == 2);
    **r = 5;
    assert(y == 5);
    return 0;
}
