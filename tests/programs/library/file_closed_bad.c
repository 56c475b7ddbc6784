// expect: unsafe
// gcc: no a C library has no source line for it
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/dev/null", "r");
    if (file == NULL)
        return 1;
    fclose(file);
    return fclose(file); // BAD: double-free
}
