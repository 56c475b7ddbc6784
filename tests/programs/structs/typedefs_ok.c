// expect: safe
// Typedefs, attributes, __extension__, typeof, _Generic and static assertions.
#include <assert.h>
#include <stddef.h>

typedef struct node node_t, *node_p;
typedef int (*binary)(int, int);

struct node {
    int value __attribute__((aligned(8)));
    node_p next;
} __attribute__((packed));

struct __attribute__((packed)) tight {
    char c;
    int i;
};

_Static_assert(sizeof(struct tight) == 5 && offsetof(struct tight, i) == 1, "packed");

static inline __attribute__((always_inline, unused)) int add(int a, int b)
{
    return a + b;
}

int main(int argc __attribute__((unused)), char **argv)
{
    (void)argv;
    node_t last = {2, NULL}, first = {1, &last};
    __typeof__(first) *p = __extension__ &first;
    binary f = add;
    assert(f(p->value, p->next->value) == 3);
    assert(_Generic(p->value, int: 1, char: 2) == 1);
    const volatile int fixed = 4;
    register int fast = fixed;
    assert(fast == 4);
    return 0;
}
