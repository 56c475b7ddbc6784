// expect: unsafe
// gcc: no it reads nothing from the standard input
#include <stdio.h>

int main(void)
{
    int numbers[2] = {1, 2};
    size_t done = fread(numbers, sizeof(int), 3, stdin); // BAD: bounds
    return done == 3;
}
