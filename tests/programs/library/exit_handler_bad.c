// expect: unsafe
#include <assert.h>
#include <stdlib.h>

static int done;

static void finish(void)
{
    assert(done); // BAD: assert
}

int main(void)
{
    atexit(finish);
    exit(1);
}
