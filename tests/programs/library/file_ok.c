// expect: safe
// A stream belongs to the environment: it is null or valid, and never a leak.
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/nonexistent/heapwright", "r");
    if (file == NULL)
        return 1;
    while (fgetc(file) != EOF)
        ;
    fclose(file);
    return 0;
}
