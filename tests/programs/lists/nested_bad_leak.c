// expect: unsafe
// Only the first item of each inner list is freed.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct inner {
    struct inner *next;
};

struct outer {
    struct outer *next;
    struct inner *items;
};

int main(void)
{
    struct outer *list = NULL;
    for (int i = 0; i < 2; i++) {
        struct outer *o = malloc(sizeof *o);
        o->items = NULL;
        o->next = list;
        list = o;
        while (__VERIFIER_nondet_bool() && !(o->items && o->items->next)) {
            struct inner *fresh = malloc(sizeof *fresh);
            fresh->next = o->items;
            o->items = fresh;
        }
    }
    while (list) {
        struct outer *o = list;
        list = list->next;
        if (o->items) {
            struct inner *item = o->items;
            o->items = item->next;
            free(item);
        }
        free(o); // BAD: leak
    }
    return 0;
}
