// expect: safe
// Nested loops with break and continue, do-while, and a loop made of goto.
#include <assert.h>

int main(void)
{
    int seen = 0;
    for (int i = 0; i < 4; i++) {
        if (i == 1)
            continue;
        for (int j = 0;; j++) {
            if (j > i)
                break;
            seen++;
        }
        if (i == 2)
            break;
    }
    assert(seen == 4);
    do {
        seen--;
        if (seen == 2)
            continue;
    } while (seen > 0);
    assert(seen == 0);
again:
    seen++;
    if (seen < 3)
        goto again;
    assert(seen == 3);
    switch (seen) {
    case 1:
        do {
            seen = 10;
    case 3:
            seen++;
        } while (seen < 5);
    }
    assert(seen == 10 + 1);
    return 0;
}
