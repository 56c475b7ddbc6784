// expect: unsafe
// A copy of a struct shares what its pointers point to.
#include <stdlib.h>

struct holder {
    int *data;
};

int main(void)
{
    struct holder a;
    a.data = malloc(sizeof(int));
    struct holder b = a;
    free(a.data);
    free(b.data); // BAD: double-free
    return 0;
}
