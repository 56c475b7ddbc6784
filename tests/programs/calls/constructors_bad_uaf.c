// expect: unsafe
// The destructor without a priority runs before the one with a priority.
#include <stdlib.h>

static int *table;

__attribute__((constructor)) static void begin(void)
{
    table = calloc(1, sizeof *table);
}

__attribute__((destructor(101))) static void use(void)
{
    *table = 1; // BAD: use-after-free
}

__attribute__((destructor)) static void end(void)
{
    free(table);
}

int main(void)
{
    exit(0);
}
