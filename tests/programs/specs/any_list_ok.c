// expect: safe
// explore: unknown
// Any list as the input of a program; reversing it in place keeps it a list.
// gcc: no its input is any list
#include <assert.h>
#include <stddef.h>
#include "heapwright.h"

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = hw_any_list(next);
    struct node *result = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    assert(hw_acyclic(result, next));
    return 0;
}
