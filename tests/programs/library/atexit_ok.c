// expect: safe
#include <assert.h>
#include <stdlib.h>

static int *kept;

static void first(void)
{
    assert(*kept == 2);
    free(kept);
}

static void second(void)
{
    *kept = 2;
}

int main(void)
{
    kept = malloc(sizeof(int));
    *kept = 1;
    atexit(first);
    atexit(second);
    exit(0);
}
