// expect: safe
// realloc of a struct with a flexible array moves all of its elements.
#include <assert.h>
#include <stdlib.h>

struct table { int count; struct { int key; char *value; } entries[]; };

int main(void)
{
    struct table *t = malloc(sizeof *t + 2 * sizeof t->entries[0]);
    t->count = 2;
    for (int i = 0; i < t->count; i++) {
        t->entries[i].key = i;
        t->entries[i].value = malloc(1);
    }
    t = realloc(t, sizeof *t + 5 * sizeof t->entries[0]);
    if (!t)
        abort();
    assert(t->entries[1].key == 1);
    for (int i = 0; i < t->count; i++)
        free(t->entries[i].value);
    free(t);
    return 0;
}
