// expect: safe
// Globals start as zero or as their initialisers say, also with addresses of each other.
#include <assert.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static struct node last = {3, NULL};
struct node first = {.value = 1, .next = &last};
static struct node *list = &first;
static int counts[4] = {1, 2};
int zero;
static int *place = &counts[1];
static struct node empty;

int main(void)
{
    assert(list->value == 1 && list->next->value == 3 && !list->next->next);
    assert(counts[3] == 0 && zero == 0 && *place == 2 && !empty.next);
    return 0;
}
