// expect: unsafe
// Only one of the pointers in the result is looked after.
#include <stdlib.h>

struct pair {
    int *first, *second;
};

static struct pair make(void)
{
    struct pair p = {malloc(sizeof(int)), malloc(sizeof(int))};
    *p.first = 1;
    *p.second = 2;
    return p;
}

int main(void)
{
    int *first = make().first; // BAD: leak
    free(first);
    return 0;
}
