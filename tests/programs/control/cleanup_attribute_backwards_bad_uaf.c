// expect: unsafe
// A jump back before the declaration ends the variable: its block is gone.
#include <stdlib.h>

static void release(int **block)
{
    free(*block);
}

int main(void)
{
    int *kept = NULL, turns = 0;
again:
    if (turns == 1)
        return *kept; // BAD: use-after-free
    __attribute__((cleanup(release))) int *block = malloc(sizeof *block);
    kept = block;
    turns++;
    goto again;
}
