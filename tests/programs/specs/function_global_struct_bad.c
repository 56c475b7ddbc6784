// expect: unsafe
// options: --function first
// gcc: no a C test cannot set the members of a global struct yet
// A function on its own finds anything in a global struct: the count does not tell whether there is a head.
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct {
    struct node *head;
    int count;
} list;

int first(void)
{
    if (list.count > 0)
        return list.head->data; // BAD: null-deref
    return 0;
}
