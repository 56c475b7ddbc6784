/* List nodes embedded in larger structs, as operating system kernels have them: the list knows nothing of its elements,
 * and container_of computes the element from the node inside.
 *
 *     heapwright check examples/embedded_list.c */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next, *prev;
};

#define container_of(node, type, member) ((type *)((char *)(node) - offsetof(type, member)))

static void link_after(struct link *where, struct link *fresh)
{
    fresh->next = where->next;
    fresh->prev = where;
    where->next->prev = fresh;
    where->next = fresh;
}

static void link_remove(struct link *node)
{
    node->prev->next = node->next;
    node->next->prev = node->prev;
}

struct job {
    int priority;
    struct link queue; /* not at the start of the struct: a pointer to it is no pointer to the job */
};

int main(void)
{
    struct link jobs = {&jobs, &jobs}; /* an empty ring */

    for (int i = 1; i <= 3; i++) {
        struct job *job = malloc(sizeof *job);
        job->priority = i;
        link_after(&jobs, &job->queue);
    }

    int sum = 0;
    for (struct link *node = jobs.next; node != &jobs; node = node->next)
        sum += container_of(node, struct job, queue)->priority;
    assert(sum == 6);

    while (jobs.next != &jobs) {
        struct link *node = jobs.next;
        link_remove(node);
        free(container_of(node, struct job, queue)); /* free(node) would be a violation */
    }
    return 0;
}
