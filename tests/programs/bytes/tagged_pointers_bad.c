// expect: unsafe
// Pointers in integers keep their blocks, with a mark in the lowest bit, too.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct node { int value; uintptr_t next; };

int main(void)
{
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    first->value = 1;
    second->value = 2;
    second->next = 0;
    first->next = (uintptr_t)second | 1;
    assert(first->next & 1);
    struct node *found = (struct node *)(first->next & ~(uintptr_t)1);
    assert(found == second && found->value == 2);
    assert((uintptr_t)&found->next - (uintptr_t)found == 8);
    void *mark = (void *)(intptr_t)42;
    assert((intptr_t)mark == 42 && mark != found);
    free(second);
    int last = found->value; // BAD: use-after-free
    free(first);
    return last;
}
