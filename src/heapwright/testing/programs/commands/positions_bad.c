// expect: unsafe
// Pointers into an array, their difference, and an access that depends on it.
#include <stdlib.h>

int main(void)
{
    int *numbers = malloc(12 * sizeof *numbers);
    int *start = numbers + 2;
    int *end = numbers + 7;
    int *reached = malloc(sizeof *reached);
    *end = 3;
    if (end - start == 5) {
        free(reached);
        reached = NULL;
    }
    *reached = numbers[7]; // BAD: null-deref
    free(reached);
    free(numbers);
    return 0;
}
