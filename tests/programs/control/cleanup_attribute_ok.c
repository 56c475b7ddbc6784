// expect: safe
// Each way out of a scope calls the clean-up functions of its variables, the last declared first.
#include <assert.h>
#include <stdlib.h>

static int order;

static void note(int *value)
{
    order = order * 10 + *value;
}

static void release(int **block)
{
    free(*block);
}

#define NOTED __attribute__((cleanup(note)))

static int leave(int how)
{
    NOTED int first = 1;
    NOTED int second = 2, third = 3;
    __attribute__((cleanup(release))) int *block = malloc(sizeof *block);
    *block = first + second + third;
    if (how == 0)
        return *block;
    for (int i = 0; i < 3; i++) {
        NOTED int fourth = 4;
        if (i == 0)
            continue;
        if (i == 1)
            break;
    }
    if (how == 1)
        goto out;
    {
        NOTED int fifth = 5;
    }
out:
    return ({ NOTED int sixth = 6; sixth + *block; });
}

int main(void)
{
    assert(leave(0) == 6);
    assert(order == 321);
    order = 0;
    assert(leave(1) == 12);
    assert(order == 446321);
    order = 0;
    leave(2);
    assert(order == 4456321);
    return 0;
}
