// expect: safe
// sizeof an array of variable length is known at run time.
#include <assert.h>
#include <string.h>

int main(void)
{
    int n = 3;
    int a[n];
    memset(a, 0, sizeof a);
    assert(a[2] == 0 && sizeof a == 3 * sizeof(int));
    return 0;
}
