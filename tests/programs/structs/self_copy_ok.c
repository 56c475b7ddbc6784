// expect: safe
// A struct is replaced by the one that it points to.
#include <assert.h>
#include <stddef.h>

struct node { struct node *next; int value; };

int main(void)
{
    struct node c = {NULL, 3}, b = {&c, 2}, a = {&b, 1};
    struct node n = a;
    n = *n.next;
    assert(n.value == 2);
    n = *n.next;
    assert(n.value == 3 && n.next == NULL);
    return 0;
}
