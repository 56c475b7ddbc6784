// expect: unsafe
// gcc: no the function has no body
// A function without a body may write the pointer that it is handed.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

void change(struct node **where);

int main(void)
{
    struct node only;
    only.value = 1;
    only.next = NULL;
    struct node *list = &only;
    change(&list);
    return list->value; // BAD: null-deref
}
