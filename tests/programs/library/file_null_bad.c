// expect: unsafe
// gcc: no a C library has no source line for it
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/nonexistent/heapwright", "r");
    return fgetc(file) == EOF; // BAD: null-deref
}
