// expect: unsafe
// gcc: no the function has no body
// A function without a body is handed a pointer to memory that is freed, and one that is valid.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

void look(const struct node *at);

int main(void)
{
    struct node *first = malloc(sizeof *first);
    look(first);
    struct node *second = first;
    free(first);
    look(NULL);
    look(second); // BAD: use-after-free
    return 0;
}
