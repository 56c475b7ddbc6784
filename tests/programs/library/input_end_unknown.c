// expect: unknown
#include <stdio.h>

/* Behind the end of the input nothing is read, but for an error, which is approximate. */
int main(void)
{
    int *nothing = NULL;

    while (getchar() != EOF)
        ;
    if (getchar() != EOF)
        return *nothing;
    return 0;
}
