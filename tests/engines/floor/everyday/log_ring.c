// The last lines of a log: a ring of texts, of which the oldest is freed for a new one.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { KEPT = 4 };

struct log {
    char *lines[KEPT];
    unsigned next;
};

static char *text(unsigned length)
{
    char *line = malloc(length + 1); // seeded bounds: char *line = malloc(length);
    for (unsigned i = 0; i < length; i++)
        line[i] = 'x';
    line[length] = 0;
    return line;
}

static void add(struct log *l, char *line)
{
    free(l->lines[l->next]); // seeded leak: ;
    l->lines[l->next] = line;
    l->next = (l->next + 1) % KEPT; // seeded bounds: l->next = l->next + 1;
}

int main(void)
{
    struct log l = {{NULL}, 0};
    int count = __VERIFIER_nondet_int() & 7;

    for (int i = 0; i < count; i++)
        add(&l, text((unsigned)__VERIFIER_nondet_int() % 6));
    for (int i = 0; i < KEPT; i++)
        free(l.lines[i]);
    return 0;
}
