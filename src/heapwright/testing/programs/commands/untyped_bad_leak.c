// expect: unsafe
// Blocks without a type, which the first use decides.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    void *raw = malloc(8);
    struct node *head = raw;
    head->next = malloc(8);
    head->next->next = NULL;
    free(head); // BAD: leak
    return 0;
}
