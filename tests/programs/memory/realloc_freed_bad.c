// expect: unsafe
// realloc of a block that is freed already.
#include <stdlib.h>

struct pair {
    int left, right;
};

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    struct pair *kept = p;
    free(p);
    p = realloc(kept, 2 * sizeof *p); // BAD: double-free
    free(p);
    return 0;
}
