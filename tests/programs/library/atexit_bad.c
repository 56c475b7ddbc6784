// expect: unsafe
// Registered functions run in reverse order when main returns.
#include <stdlib.h>

static int *kept;

static void first(void)
{
    *kept = 1; // BAD: use-after-free
}

static void second(void)
{
    free(kept);
}

int main(void)
{
    kept = malloc(sizeof(int));
    atexit(first);
    atexit(second);
    return 0;
}
