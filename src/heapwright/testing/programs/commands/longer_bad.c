// expect: unsafe
// An array becomes longer, and is used as if it had become longer still.
#include <stdlib.h>

int main(void)
{
    int count = 9;
    int *numbers = malloc(count * sizeof *numbers);
    numbers[8] = 1;
    numbers = realloc(numbers, (count + 1) * sizeof *numbers);
    numbers[9] = numbers[8];
    numbers[10] = 2; // BAD: bounds
    free(numbers);
    return 0;
}
