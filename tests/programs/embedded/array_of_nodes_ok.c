// expect: safe
// container_of from an element of an array of nodes.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct links {
    struct links *left, *right;
};

struct multi {
    struct links nodes[2];
    int key;
};

int main(void)
{
    struct multi *m = malloc(sizeof *m);
    m->key = 9;
    struct links *second = &m->nodes[1];
    second->left = NULL;
    struct multi *back = container_of(second, struct multi, nodes[1]);
    assert(back == m && back->key == 9);
    free(back);
    return 0;
}
