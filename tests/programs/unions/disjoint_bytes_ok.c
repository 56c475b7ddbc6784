// expect: safe
// Members overlap by bytes: the second half of the pair is not touched by a write to the small member.
#include <assert.h>

union both {
    short small;
    struct {
        int first;
        int second;
    } pair;
};

int main(void)
{
    union both b;
    b.pair.first = 1;
    b.pair.second = 2;
    b.small = 3;
    assert(b.pair.second == 2 && b.small == 3);
    return 0;
}
