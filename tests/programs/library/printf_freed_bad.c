// expect: unsafe
// printf reads the strings that it prints.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *name = strdup("list");
    printf("%d %s\n", 1, name);
    free(name);
    printf("%-8s|\n", name); // BAD: use-after-free
    return 0;
}
