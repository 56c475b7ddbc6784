// expect: safe
// What would go wrong is never reached.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *one = NULL;
    if (one) {
        one->next = one;
        free(one->next);
    }
    return 0;
}
