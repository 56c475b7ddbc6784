// expect: unsafe
// An array inside a heap object has bounds of its own.
#include <stdlib.h>

struct stack {
    int top;
    int items[2];
    struct stack *below;
};

int main(void)
{
    struct stack *s = malloc(sizeof *s);
    s->top = 0;
    s->below = NULL;
    for (int i = 0; i < 3; i++)
        s->items[s->top++] = i; // BAD: bounds
    free(s);
    return 0;
}
