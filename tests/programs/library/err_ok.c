// expect: safe
#include <err.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int *number = argc > 1 ? malloc(sizeof *number) : NULL;
    if (number == NULL)
        errx(0, "no %s", "memory");
    *number = 1;
    free(number);
    return 0;
}
