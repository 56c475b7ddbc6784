// expect: unsafe
// A loop goes one cell too far.
#include <stdlib.h>

int main(void)
{
    int *cells = malloc(3 * sizeof *cells);
    for (int i = 0; i <= 3; i++)
        cells[i] = i; // BAD: bounds
    free(cells);
    return 0;
}
