// expect: unsafe
// gcc: no what is drawn decides
// A remainder that is too large for one of the arrays.
#include <stdlib.h>

int main(void)
{
    int dice[5] = {0};
    int *kept = malloc(6 * sizeof *kept);
    kept[rand() % 6] = 1;
    dice[rand() % 6] = 1; // BAD: bounds
    free(kept);
    return 0;
}
