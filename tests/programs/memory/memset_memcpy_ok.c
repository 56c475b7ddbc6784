// expect: safe
// Whole objects set to zero and copied.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node a, b;
    memset(&a, 0, sizeof a);
    assert(a.value == 0 && !a.next);
    a.value = 3;
    a.next = malloc(sizeof(struct node));
    memset(a.next, 0, sizeof(struct node));
    memcpy(&b, &a, sizeof b);
    assert(b.value == 3 && b.next == a.next && !b.next->next);
    free(b.next);
    char text[4];
    memset(text, 'x', sizeof text);
    assert(text[3] == 'x');
    int from[3] = {1, 2, 3}, to[3];
    memcpy(to, from, sizeof from);
    assert(to[2] == 3);
    return 0;
}
