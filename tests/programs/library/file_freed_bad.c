// expect: unsafe
// gcc: no a C library has no source line for it
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *file = fopen("data", "r");

    if (file != NULL)
        free(file); // BAD: invalid-free
    return 0;
}
