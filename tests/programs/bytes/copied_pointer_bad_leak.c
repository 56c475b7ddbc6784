// expect: unsafe
// A pointer that is copied as a part of an object keeps its block; one that is overwritten may lose it.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node a = {malloc(sizeof(struct node)), 1};
    struct node b = {NULL, 2};
    memcpy(&b, &a, sizeof(struct node *));
    a.next = NULL;
    b.next->value = b.value;
    memcpy(&b, &a, sizeof(struct node *)); // BAD: leak
    return 0;
}
