// expect: safe
// container_of through two levels of structs.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct links {
    struct links *left, *right;
};

struct deep {
    int id;
    struct {
        int pad;
        struct links node;
    } in;
};

int main(void)
{
    struct deep *d = malloc(sizeof *d);
    d->id = 3;
    d->in.node.left = d->in.node.right = NULL;
    struct links *node = &d->in.node;
    assert(container_of(node, struct deep, in.node)->id == 3);
    free(container_of(node, struct deep, in.node));
    return 0;
}
