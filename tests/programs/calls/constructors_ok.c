// expect: safe
// gcc: keeps
// Constructors run before main, by priority; destructors after it and after the functions that atexit registered.
#include <assert.h>
#include <stdlib.h>

static int order;
static int *table;

static void note(int step)
{
    order = order * 10 + step;
}

__attribute__((constructor)) static void last(void)
{
    note(3);
    table = malloc(sizeof *table);
    *table = 7;
}

__attribute__((constructor(102))) static void second(void)
{
    note(2);
}

__attribute__((constructor(101))) static void first(void)
{
    note(1);
}

__attribute__((destructor(101))) static void very_last(void)
{
    assert(order == 12345);
    free(table);
}

__attribute__((destructor)) static void close_down(void)
{
    assert(*table == 7);
    note(5);
}

static void handler(void)
{
    note(4);
}

int main(void)
{
    assert(order == 123);
    atexit(handler);
    return 0;
}
