// expect: safe
// The unit of a bit-field may reach beyond the block that it is in; its bits do not.
#include <assert.h>
#include <stdlib.h>

union word {
    struct { unsigned low : 4, middle : 12, high : 16; } part;
    int whole;
};

struct halves { unsigned first : 16, second : 16; };

int main(void)
{
    union word w;
    int *alias = &w.whole;
    struct halves *h = malloc(sizeof *h);
    w.whole = 0;
    w.part.high = 1;
    assert(w.whole == 65536);
    *alias = 0x20031;
    assert(w.part.high == 2 && w.part.middle == 3 && w.part.low == 1);
    h->second = 7;
    h->first = h->second;
    assert(h->first == 7);
    free(h);
    return 0;
}
