// expect: unsafe
// The flag stays as it is if it is set.
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
            free(list); // BAD: double-free
        else
            list = malloc(sizeof *list);
        here = here || !here;
    }
    if (here)
        free(list); // BAD: double-free
    return 0;
}
