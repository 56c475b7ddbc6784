// expect: unsafe
// An array of blocks is freed, and one of the blocks is not.
#include <stdlib.h>

int main(void)
{
    int **table = malloc(2 * sizeof *table);
    table[0] = malloc(sizeof **table);
    table[1] = malloc(sizeof **table);
    free(table[0]);
    free(table); // BAD: leak
    return 0;
}
