// expect: safe
// gcc: no the counter of blocks takes it for a new one
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    p = realloc(p, 0);
    free(p);
    return 0;
}
