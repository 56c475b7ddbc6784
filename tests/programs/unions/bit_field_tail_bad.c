// expect: unsafe
// The last bit-field lies behind the bytes that were allocated.
#include <stdlib.h>

struct halves { unsigned first : 16, second : 16; };

int main(void)
{
    struct halves *h = malloc(2);
    h->second = 7; // BAD: bounds
    free(h);
    return 0;
}
