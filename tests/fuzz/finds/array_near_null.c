// tvl: crash: an array of pointers ends, and pointers of its type may be near null
#include <stdlib.h>
struct link { struct link *next, *prev; };
struct node {
    int data;
    struct link link;
};
static struct node *global;
static struct node *f0(struct node *p0)
{
    struct node *p1 = p0;
    struct node *a2[12] = { p1, global };
    return a2[1];
}
int main(void)
{
    struct node *p2 = NULL;
    if (global) {
        struct link *l6 = &global->link;
        l6->next = p2 ? &p2->link : NULL;
        global = ((struct node *)((char *)(l6->next) - __builtin_offsetof(struct node, link)));
    }
    global = malloc(sizeof(struct node));
    p2 = f0(global);
    free(p2);
    return 0;
}
