// expect: unsafe
// A half of a union is written that held the only pointer to a block.
#include <stdlib.h>

union word {
    char *p;
    int half[2];
};

int main(void)
{
    union word *w = malloc(sizeof *w);
    if (!w)
        return 1;
    w->p = malloc(4);
    w->half[1] = 7; // BAD: leak
    int seven = w->half[1];
    free(w);
    return seven == 7;
}
