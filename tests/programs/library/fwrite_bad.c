// expect: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *bytes = malloc(4 * sizeof(char));
    fwrite(bytes, 1, 4, stdout);
    free(bytes);
    fwrite(bytes, 1, 4, stdout); // BAD: use-after-free
    return 0;
}
