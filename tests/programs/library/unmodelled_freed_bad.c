// expect: unsafe
// gcc: no the line of a C library
// It would dereference what it is handed.
#include <math.h>
#include <stdlib.h>

int main(void)
{
    int *exponent = malloc(sizeof(int));
    free(exponent);
    frexp(8.0, exponent); // BAD: use-after-free
    return 0;
}
