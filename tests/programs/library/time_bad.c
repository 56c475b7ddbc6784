// expect: unsafe
// time stores what it returns.
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t now = 0;
    time_t same = time(&now);
    assert(same == now);
    assert(now == 0); // BAD: assert
    return 0;
}
