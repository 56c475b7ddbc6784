// expect: safe
// Sorting by recursion: split, sort both halves, merge.
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int key;
};

static struct node *sort(struct node *a)
{
    if (!a || !a->next)
        return a;
    struct node *slow = a, *fast = a->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *b = slow->next;
    slow->next = NULL;
    a = sort(a);
    b = sort(b);
    struct node head, *end = &head;
    while (a && b) {
        if (a->key <= b->key) {
            end->next = a;
            a = a->next;
        } else {
            end->next = b;
            b = b->next;
        }
        end = end->next;
    }
    end->next = a ? a : b;
    return head.next;
}

static void push(struct node **list, int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    *fresh = (struct node){*list, key};
    *list = fresh;
}

int main(void)
{
    struct node *list = NULL;
    int keys[] = {3, 1, 4, 1, 5};
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        push(&list, keys[i]);
    list = sort(list);
    int last = 0, count = 0;
    for (struct node *p = list; p; p = p->next) {
        assert(p->key >= last);
        last = p->key;
        count++;
    }
    assert(count == 5 && last == 5);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
