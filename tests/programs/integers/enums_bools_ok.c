// expect: safe
// Enumerations and booleans.
#include <assert.h>
#include <stdbool.h>

enum colour { RED, GREEN = 5, BLUE };

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    enum colour c = BLUE;
    assert(c == 6 && RED == 0);
    bool b = 256;
    assert(b == 1);
    b = __VERIFIER_nondet_int();
    assert(b == true || b == false);
    c = b ? RED : GREEN;
    switch (c) {
    case RED:
        assert(b);
        break;
    case GREEN:
        assert(!b);
        break;
    case BLUE:
        assert(0);
    }
    return 0;
}
