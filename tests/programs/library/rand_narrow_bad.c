// expect: unsafe
// explore: unknown
// gcc: no what is drawn decides
// A remainder of a number that may be negative once it is narrowed.
#include <stdlib.h>

int main(void)
{
    int *dice = calloc(6, sizeof *dice);
    dice[(signed char)rand() % 6] = 1; // BAD: bounds
    free(dice);
    return 0;
}
