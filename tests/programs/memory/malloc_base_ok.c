// expect: safe
// A block for a struct, used at the type of its first member.
#include <assert.h>
#include <stdlib.h>

struct base {
    int tag;
};
struct derived {
    struct base base;
    int value;
};

int main(void)
{
    struct base *p = malloc(sizeof(struct derived));
    p->tag = 1;
    ((struct derived *)p)->value = 2;
    assert(p->tag == 1 && ((struct derived *)p)->base.tag == 1);
    free(p);
    return 0;
}
