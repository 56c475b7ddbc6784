// expect: safe
// A variable of a loop body is a new one in every round.
#include <assert.h>

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int local = i;
        int *p = &local;
        *p += 1;
        sum += local;
    }
    assert(sum == 6);
    return 0;
}
