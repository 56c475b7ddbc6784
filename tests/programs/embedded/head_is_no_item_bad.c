// expect: unsafe
// container_of from a node that is in no item: the owner does not exist.
// gcc: no the address that results is inside the frame of main, which nothing guards
#include <stddef.h>
#include <stdlib.h>

#define container_of(ptr, type, member) \
    ({ const __typeof__(((type *)0)->member) *__p = (ptr); (type *)((char *)__p - offsetof(type, member)); })

struct list_head {
    struct list_head *next, *prev;
};

static inline void list_init(struct list_head *head)
{
    head->next = head;
    head->prev = head;
}

static inline void list_add(struct list_head *fresh, struct list_head *head)
{
    fresh->next = head->next;
    fresh->prev = head;
    head->next->prev = fresh;
    head->next = fresh;
}

static inline void list_del(struct list_head *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

#define list_for_each(pos, head) for (pos = (head)->next; pos != (head); pos = pos->next)
#define list_for_each_safe(pos, n, head) \
    for (pos = (head)->next, n = pos->next; pos != (head); pos = n, n = pos->next)

struct item {
    int value;
    struct list_head link;
};

int main(void)
{
    struct list_head head;
    list_init(&head);
    struct item *first = container_of(head.next, struct item, link);
    return first->value; // BAD: invalid-deref
}
