// expect: unsafe
// Freeing the owner loses what only it pointed to.
#include <stdlib.h>

struct owner {
    int *data;
};

int main(void)
{
    struct owner *o = malloc(sizeof *o);
    o->data = malloc(sizeof(int));
    free(o); // BAD: leak
    return 0;
}
