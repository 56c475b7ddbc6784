// A text buffer with room for its terminator, that letters are appended to and that is cut again.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct text {
    char *data;
    size_t length, room;
};

static void reserve(struct text *t, size_t needed)
{
    size_t room = t->room ? t->room : 4;

    if (needed <= t->room)
        return;
    while (room < needed)
        room *= 2;
    t->data = realloc(t->data, room);
    t->room = room;
}

static void append(struct text *t, char c)
{
    reserve(t, t->length + 2); // seeded bounds: reserve(t, t->length + 1);
    t->data[t->length++] = c;
    t->data[t->length] = 0;
}

static void cut(struct text *t, size_t length)
{
    if (length >= t->length)
        return;
    t->length = length;
    t->data[length] = 0; // seeded bounds: t->data[t->room] = 0;
}

int main(void)
{
    struct text t = {NULL, 0, 0};
    int count = __VERIFIER_nondet_int() & 15;

    for (int i = 0; i < count; i++)
        append(&t, 'a');
    cut(&t, (size_t)__VERIFIER_nondet_int());
    for (size_t i = 0; i < t.length; i++)
        if (t.data[i] == 'a')
            t.data[i] = 'b';
    free(t.data); // seeded use-after-free: free(t.data); t.data[0] = 0;
    return 0;
}
