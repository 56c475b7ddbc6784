// expect: safe
// Printing functions neither free nor keep what they are given.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 3;
    printf("%d at %p\n", *p, (void *)p);
    fprintf(stderr, "%s\n", "done");
    puts("end");
    free(p);
    return 0;
}
