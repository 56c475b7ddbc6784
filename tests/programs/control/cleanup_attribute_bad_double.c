// expect: unsafe
// The clean-up function frees what the loop has freed already, when it is left early.
#include <stdlib.h>

static void release(int **block)
{
    free(*block); // BAD: double-free
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        __attribute__((cleanup(release))) int *block = malloc(sizeof *block);
        if (i == 1) {
            free(block);
            break;
        }
    }
    return 0;
}
