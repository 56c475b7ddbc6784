// expect: unsafe
// Nobody takes the block that the function returns: its last holder is the variable that ends there.
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
