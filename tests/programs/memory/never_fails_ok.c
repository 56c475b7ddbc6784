// expect: safe
// Without --malloc-may-fail malloc never returns null.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
