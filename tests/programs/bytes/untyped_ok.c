// expect: safe
// Memory whose types only its users know: an arena, elements of any size, a swap by single bytes, headers in front.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct arena { char *base; size_t used, size; };
struct node { int value; struct node *next; };
struct point { double x, y; };
struct header { size_t size; };

static void *get(struct arena *a, size_t n)
{
    n = (n + 7) & ~(size_t)7;
    if (a->used + n > a->size)
        abort();
    void *p = a->base + a->used;
    a->used += n;
    return p;
}

static void swap(void *one, void *other, size_t n)
{
    char *p = one, *q = other;
    while (n--) {
        char kept = *p;
        *p++ = *q;
        *q++ = kept;
    }
}

static void *with_header(size_t n)
{
    struct header *h = malloc(sizeof *h + n);
    if (!h)
        abort();
    h->size = n;
    return h + 1;
}

int main(void)
{
    struct arena a = {malloc(128), 0, 128};
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = get(&a, sizeof *n);
        struct point *p = get(&a, sizeof *p);
        n->value = i;
        n->next = list;
        list = n;
        p->x = i;
        p->y = 2 * p->x;
        assert(p->y == 2.0 * i);
    }
    assert(list->next->next->value == 0);
    free(a.base);

    struct { short id; char *name; } x = {1, malloc(1)}, y = {2, malloc(2)};
    swap(&x, &y, sizeof x);
    x.name[1] = 'x';
    assert(x.id == 2 && y.id == 1);
    free(x.name);
    free(y.name);

    int *numbers = with_header(3 * sizeof *numbers);
    numbers[2] = 7;
    assert(((struct header *)numbers - 1)->size == 12);
    free((struct header *)numbers - 1);
    return 0;
}
