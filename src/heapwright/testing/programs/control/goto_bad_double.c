// expect: unsafe
// A jump to the clean-up frees a second time.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *one = malloc(sizeof *one);
    if (__VERIFIER_nondet_bool()) {
        free(one);
        goto out;
    }
    one->next = NULL;
out:
    free(one); // BAD: double-free
    return 0;
}
