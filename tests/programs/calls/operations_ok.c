// expect: safe
// Tables of operations in structs, callbacks with an argument of any type, functions that return functions.
#include <assert.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

struct operations {
    int (*get)(struct node *);
    void (*set)(struct node *, int);
};

static int get(struct node *n)
{
    return n->key;
}

static void set(struct node *n, int key)
{
    n->key = key;
}

static const struct operations operations = {.set = set, .get = get};

static int apply(const struct operations *o, struct node *n)
{
    o->set(n, 5);
    return o->get(n);
}

static void each(struct node *list, void (*visit)(struct node *, void *), void *argument)
{
    for (; list; list = list->next)
        visit(list, argument);
}

static void add(struct node *n, void *argument)
{
    *(int *)argument += n->key;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

typedef int (*comparison)(const void *, const void *);

static comparison choose(int wanted)
{
    return wanted ? compare : NULL;
}

int main(void)
{
    struct node b = {2, NULL}, a = {1, &b};
    assert(apply(&operations, &a) == 5);
    int total = 0;
    each(&a, add, &total);
    assert(total == 7);
    int x = 3, y = 4;
    assert(choose(1)(&x, &y) < 0 && !choose(0));
    struct operations *copy = malloc(sizeof *copy);
    *copy = operations;
    assert((*copy->get)(&b) == 2);
    free(copy);
    return 0;
}
