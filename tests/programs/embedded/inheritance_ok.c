// expect: safe
// The base struct comes first: a pointer to it is a pointer to the whole.
#include <assert.h>
#include <stdlib.h>

struct shape {
    int kind;
    struct shape *next;
};

struct circle {
    struct shape base;
    int radius;
};

struct square {
    struct shape base;
    int side;
};

int main(void)
{
    struct circle *c = malloc(sizeof *c);
    struct square *s = malloc(sizeof *s);
    c->base.kind = 0;
    c->radius = 2;
    c->base.next = &s->base;
    s->base.kind = 1;
    s->side = 3;
    s->base.next = NULL;
    int total = 0;
    struct shape *list = &c->base;
    while (list) {
        struct shape *next = list->next;
        total += list->kind == 0 ? ((struct circle *)list)->radius : ((struct square *)list)->side;
        free(list);
        list = next;
    }
    assert(total == 5);
    return 0;
}
