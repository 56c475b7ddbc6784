// expect: unsafe
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char bytes[4];
    int *p = malloc(sizeof(int));
    *p = 1;
    free(p);
    memcpy(bytes, p, sizeof bytes); // BAD: use-after-free
    return 0;
}
