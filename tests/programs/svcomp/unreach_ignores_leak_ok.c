// expect: safe
// options: --property unreach-call
// The property asks for the error function; the leak is not its business.
// gcc: keeps
#include <stdlib.h>

extern void reach_error(void);

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    if (*p != 1)
        reach_error();
    p = NULL;
    return 0;
}
