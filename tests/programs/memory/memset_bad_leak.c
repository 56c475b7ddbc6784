// expect: unsafe
// Setting the object to zero drops the pointer in it.
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node a;
    a.next = malloc(sizeof(struct node));
    memset(&a, 0, sizeof a); // BAD: leak
    return 0;
}
