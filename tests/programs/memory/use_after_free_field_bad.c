// expect: unsafe
// The owner is freed first; what it owned can no longer be found.
#include <stdlib.h>

struct owner {
    int *data;
};

int main(void)
{
    struct owner *o = malloc(sizeof *o);
    o->data = malloc(sizeof(int));
    int *data = o->data;
    free(o);
    free(o->data); // BAD: use-after-free
    free(data);
    return 0;
}
