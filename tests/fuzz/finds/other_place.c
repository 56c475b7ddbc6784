// tvl: lost heap: a variable seems to be read before it is written, where a call returns to another place
#include <stddef.h>
struct node {
    struct node *next;
};
static struct node *global;
static int counters[3];
static struct node *rest(struct node *list, int depth)
{
    struct node *found = list;
    if (depth > 0 && depth < 3)
        found = rest(list ? list->next : list, depth - 1);
    return found;
}
int main(void)
{
    struct node *list = NULL;
    global = rest(list, counters[1]);
    for (struct node *at = list; at; at = at->next)
        global = rest(global, 1);
    return 0;
}
