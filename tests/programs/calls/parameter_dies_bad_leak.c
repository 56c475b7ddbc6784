// expect: unsafe
// The function's parameter and local variable hold the block last.
#include <stdlib.h>

static int consume(int *p)
{
    int value = *p;
    return value; // BAD: leak
}

static int *one(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    return p;
}

int main(void)
{
    return consume(one()) - 1;
}
