// expect: unsafe
// The caller ignores the block that the function returns: the last pointer to it is the local variable, whose scope ends.
#include <stdlib.h>

static int *make(int value)
{
    int *p = malloc(sizeof *p);
    *p = value;
    return p;
}

int main(void)
{
    int *kept = make(1);
    free(kept);
    make(2); // BAD: leak
    return 0;
}
