// expect: unsafe
// The function does not expect that both arguments are one.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct box {
    int *content;
};

static void move(struct box *to, struct box *from)
{
    free(to->content);
    to->content = from->content;
    from->content = NULL;
}

int main(void)
{
    struct box a = {malloc(sizeof(int))}, b = {malloc(sizeof(int))};
    move(&a, &b);
    *a.content = 1;
    b.content = malloc(sizeof(int));
    move(&a, __VERIFIER_nondet_bool() ? &a : &b);
    *a.content = 2; // BAD: null-deref
    free(a.content);
    free(b.content);
    return 0;
}
