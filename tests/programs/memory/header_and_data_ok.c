// expect: safe
// The bytes behind a header are in the block.
#include <stdlib.h>

struct header { int length; int unused; };

int main(void)
{
    int n = 5;
    struct header *h = malloc(sizeof(struct header) + n);
    h->length = n;
    char *data = (char *)(h + 1);
    for (int i = 0; i < n; i++)
        data[i] = i;
    free(h);
    return 0;
}
