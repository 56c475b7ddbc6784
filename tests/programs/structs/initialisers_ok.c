// expect: safe
// Designated, nested and partial initialisers, compound literals, anonymous members.
#include <assert.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
    union {
        int wide;
        char narrow;
    };
    struct {
        int inner;
    };
    int list[3];
};

int main(void)
{
    struct node last = {.value = 2};
    struct node first = {1, .next = &last, .inner = 4, .list = {[1] = 9}};
    assert(!last.next && last.inner == 0 && last.list[2] == 0);
    assert(first.next->value == 2 && first.inner == 4 && first.list[1] == 9 && first.list[0] == 0);
    first.wide = 6;
    assert(first.wide == 6);
    struct node *other = &(struct node){.value = 7, .next = &first};
    assert(other->next->next == &last && other->value == 7);
    return 0;
}
