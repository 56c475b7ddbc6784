// function: start
// boolheap: lost heap: a field that an object does not have was taken for one that holds junk
#include <stdlib.h>
struct link { struct link *next, *prev; };
struct base { struct base *next; int data; };
struct node {
    struct link link;
};
void start(struct node *n0, struct node *n1)
{
    struct base *b0 = NULL, *b1 = NULL; void *v0 = NULL;
    { b0 = b1->next; }
}
