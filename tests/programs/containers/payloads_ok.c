// expect: safe
// explore: unknown
// options: --objects 4
// A list whose payloads are `void *` and all of one type.
#include <stdlib.h>

struct link { void *payload; struct link *next; };
struct reading { int value; int unit; };

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct link *all = NULL;
    int units = 0;
    while (__VERIFIER_nondet_int()) {
        struct link *made = malloc(sizeof *made);
        struct reading *reading = malloc(sizeof *reading);
        reading->value = 1;
        reading->unit = 2;
        made->payload = reading;
        made->next = all;
        all = made;
    }
    for (struct link *l = all; l != NULL; l = l->next)
        units |= ((struct reading *)l->payload)->unit;
    while (all != NULL) {
        struct link *next = all->next;
        free(all->payload);
        free(all);
        all = next;
    }
    return units == 1;
}
