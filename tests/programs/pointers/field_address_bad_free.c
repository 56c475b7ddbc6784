// expect: unsafe
// The second field does not have the object's address.
#include <stdlib.h>

struct pair {
    int first;
    int second;
};

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    int *second = &p->second;
    free(second); // BAD: invalid-free
    return 0;
}
