// expect: unsafe
// gcc: no the environment of a test decides
// What getenv returns cannot be freed.
#include <stdlib.h>

int main(void)
{
    char *home = getenv("HOME");
    free(home); // BAD: invalid-free
    return 0;
}
