// expect: safe
// explore: unknown
// Any list as the input of a program: reversed in place it is a list still, and freeing it is the program's duty.
// gcc: no its input is any list
#include <assert.h>
#include <stdlib.h>
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
    while (result) {
        struct node *next = result->next;
        free(result);
        result = next;
    }
    return 0;
}
