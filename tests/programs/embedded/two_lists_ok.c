// expect: safe
// One object on two lists through two embedded nodes.
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

struct task {
    struct list_head all;
    int id;
    struct list_head ready;
};

int main(void)
{
    struct list_head all, ready;
    list_init(&all);
    list_init(&ready);
    for (int i = 0; i < 2; i++) {
        struct task *t = malloc(sizeof *t);
        t->id = i;
        list_add(&t->all, &all);
        list_add(&t->ready, &ready);
    }
    struct task *t = container_of(ready.next, struct task, ready);
    assert(t->id == 1 && container_of(all.next, struct task, all) == t);
    while (all.next != &all) {
        t = container_of(all.next, struct task, all);
        list_del(&t->all);
        list_del(&t->ready);
        free(t);
    }
    assert(ready.next == &ready);
    return 0;
}
