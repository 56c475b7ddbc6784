// expect: unknown
// options: --property unreach-call
// gcc: no the check that fails is not selected
// The second free ends every run before the call.
#include <stdlib.h>

extern void reach_error(void);

int main(void)
{
    int *block = malloc(sizeof *block);
    free(block);
    free(block);
    reach_error();
    return 0;
}
