// expect: safe
// The address of a field of a heap object; the first field has the object's address.
#include <assert.h>
#include <stdlib.h>

struct pair {
    int first;
    int second;
};

static void set(int *place, int value)
{
    *place = value;
}

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    int *first = &p->first;
    set(first, 1);
    set(&p->second, 2);
    assert(p->first == 1 && p->second == 2);
    assert((void *)first == (void *)p && ((struct pair *)first)->second == 2);
    free(first);
    return 0;
}
