// lazy: crash: an access that is always beside its block
#include <stddef.h>
struct link { struct link *next, *prev; };
struct base { struct base *next; int data; };
struct node {
    struct base base;
    struct link link;
};
int main(void)
{
    struct node *n0 = NULL, *n1 = NULL;
    struct link head = { &head, &head }, *l0 = NULL, *l1 = &head;
    while (n0 && n0->base.data == 1) {
        { n0 = ((struct node *)((char *)(l1) - offsetof(struct node, link))); }
    }
}
