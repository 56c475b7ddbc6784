// tvl: crash: a variable has the name of its type, and there are objects of that type as well
#include <stdlib.h>
struct list {
    struct list *next;
    int data;
};
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    struct list list = {NULL, 0};
    while (__VERIFIER_nondet_int()) {
        struct list *first = malloc(sizeof *first);
        first->next = list.next;
        first->data = 0;
        list.next = first;
    }
    while (list.next && list.data == 0) {
        struct list *rest = list.next->next;
        free(list.next);
        list.next = rest;
    }
    return 0;
}
