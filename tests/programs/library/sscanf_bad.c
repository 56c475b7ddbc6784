// expect: unsafe
// gcc: no the sanitizers do not see what sscanf reads
// The text is read before anything is assigned.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int value = 0;
    char *text = strdup("12");
    free(text);
    sscanf(text, "%d", &value); // BAD: use-after-free
    return 0;
}
