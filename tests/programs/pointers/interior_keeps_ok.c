// expect: safe
// A block that only an interior pointer holds is not lost: its owner can be computed.
#include <stddef.h>
#include <stdlib.h>

struct pair {
    int first;
    int second;
};

int main(void)
{
    int *second;
    {
        struct pair *p = malloc(sizeof *p);
        second = &p->second;
    }
    *second = 3;
    free((struct pair *)((char *)second - offsetof(struct pair, second)));
    return 0;
}
