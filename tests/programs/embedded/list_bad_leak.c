// expect: unsafe
// Nodes are taken from the list and not freed.
#include <assert.h>
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
    struct list_head head, *pos, *n;
    int sum = 0;
    list_init(&head);
    for (int i = 1; i <= 2; i++) {
        struct item *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        list_add(&fresh->link, &head);
    }
    list_for_each (pos, &head)
        sum += container_of(pos, struct item, link)->value;
    assert(sum == 3);
    while (head.next != &head) {
        pos = head.next;
        n = pos->next;
        list_del(pos);
        pos = n; // BAD: leak
    }
    return 0;
}
