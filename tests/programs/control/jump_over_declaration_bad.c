// expect: unsafe
// gcc: no the stack still holds the old value
// A variable whose declaration a jump misses holds anything, whatever it held before.
#include <assert.h>

static void by_switch(void)
{
    for (int i = 0; i < 2; i++)
        switch (i) {
            int x;
        case 0:
            x = 3;
            assert(x == 3);
            break;
        case 1:
            assert(x == 3); // BAD: assert
        }
}

static void by_goto(void)
{
    int i = 0;
again: {
    if (i == 1)
        goto inside;
    int y = 4;
inside:
    assert(y == 4); // BAD: assert
}
    if (i++ == 0)
        goto again;
}

int main(void)
{
    by_goto();
    by_switch();
    return 0;
}
