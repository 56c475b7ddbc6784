// expect: safe
// Arrays in structs in arrays: copied, passed by value, walked by pointers.
#include <assert.h>
#include <stdlib.h>

struct inner {
    int a[3];
    struct inner *p;
};

struct outer {
    struct inner x[2];
    int n;
    struct inner *current;
};

static struct outer global = {{{{1, 2, 3}, NULL}, {{4, 5, 6}, &global.x[0]}}, 7, &global.x[1]};

static int sum(struct outer o)
{
    int s = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            s += o.x[i].a[j];
    o.n = 0;
    return s;
}

int main(void)
{
    assert(sum(global) == 21 && global.n == 7);
    assert(global.current->a[2] == 6 && global.current->p->a[1] == 2);
    struct outer local = global;
    local.x[0].a[0] = 10;
    assert(global.x[0].a[0] == 1 && local.current == &global.x[1]);
    struct inner *q = &local.x[1];
    q->a[1]++;
    int *r = &q->a[2];
    *r += 4;
    assert(local.x[1].a[1] == 6 && local.x[1].a[2] == 10);
    q--;
    assert(q == local.x && q->a[0] == 10);
    struct outer *h = malloc(sizeof *h);
    *h = local;
    h->current = &h->x[0];
    h->current++;
    assert(h->current->a[2] == 10 && h->current - h->x == 1);
    free(h);
    return 0;
}
