// expect: safe
// A static local variable keeps its value between calls, and its address stays valid.
#include <assert.h>

static int *counter(void)
{
    static int count = 5;
    count++;
    return &count;
}

int main(void)
{
    int *p = counter();
    assert(*p == 6);
    counter();
    assert(*p == 7);
    return 0;
}
