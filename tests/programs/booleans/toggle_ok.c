// expect: safe
// A flag that is negated tells whether the block is live.
#include <stdbool.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    bool mark;
    struct node *next;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    bool here = true;
    while (__VERIFIER_nondet_bool()) {
        if (here)
            free(list);
        else
            list = malloc(sizeof *list);
        here = !here;
    }
    if (here)
        free(list);
    return 0;
}
