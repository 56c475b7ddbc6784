// expect: unsafe
// The global held the block last.
#include <stdlib.h>

static int *current;

static void renew(void)
{
    current = malloc(sizeof *current); // BAD: leak
    *current = 0;
}

int main(void)
{
    renew();
    renew();
    free(current);
    return 0;
}
