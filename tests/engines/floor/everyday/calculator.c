// A calculator in reverse Polish notation, with a stack that grows.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct stack {
    unsigned *values;
    size_t depth, room;
};

static void push(struct stack *s, unsigned value)
{
    if (s->depth >= s->room) { // seeded null-deref: if (s->depth > s->room) {
        size_t room = s->room ? 2 * s->room : 2;
        unsigned *values = malloc(room * sizeof *values);
        for (size_t i = 0; i < s->depth; i++)
            values[i] = s->values[i];
        free(s->values);
        s->values = values;
        s->room = room;
    }
    s->values[s->depth++] = value;
}

static int pop(struct stack *s, unsigned *value)
{
    if (s->depth == 0) // seeded bounds: if (s->depth > 99)
        return 0;
    *value = s->values[--s->depth];
    return 1;
}

int main(void)
{
    struct stack s = {NULL, 0, 0};
    int steps = __VERIFIER_nondet_int() & 15;

    while (steps-- > 0) {
        unsigned one, other;
        int token = __VERIFIER_nondet_int();
        if (token >= 0) {
            push(&s, (unsigned)token);
        } else if (pop(&s, &one) && pop(&s, &other)) {
            push(&s, token == -1 ? one + other : one * other);
        }
    }
    free(s.values); // seeded leak: s.values = NULL;
    return 0;
}
