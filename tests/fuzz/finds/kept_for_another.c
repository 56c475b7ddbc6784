// lazy: lost heap: a variable that pointers share was kept longer than each of them
#include <stdlib.h>
struct node {
    int key;
    struct node *next;
    struct node *owner;
};
static struct node *build(void)
{
    struct node *x = NULL;
    struct node *p = NULL;
    struct node *r = NULL;
    r = malloc(sizeof *r);
    r->key = 0;
    x = r;
    return x;
}
static struct node *check(struct node *x)
{
    return x;
}
static struct node *pop(struct node *x)
{
    struct node *p = NULL;
    p = x->next;
    return x;
}
static struct node *destroy(struct node *x)
{
    struct node *p = NULL;
        p = x;
        x = x->next;
        free(p);
}
int main(void)
{
    struct node *x = build();
    x = check(x);
    x = pop(x);
    x = destroy(x);
    return 0;
}
