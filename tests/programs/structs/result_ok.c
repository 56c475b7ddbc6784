// expect: safe
// A struct with a pointer as the result of a function.
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
    struct pair p = make();
    free(p.first);
    free(p.second);
    return 0;
}
