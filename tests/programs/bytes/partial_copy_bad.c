// expect: unsafe
#include <assert.h>
#include <string.h>

struct triple {
    int a;
    int b;
    int c;
};

int main(void)
{
    struct triple x = {1, 2, 3};
    struct triple y = {4, 5, 6};
    memcpy(&x, &y, 2 * sizeof(int));
    assert(x.c == 6); // BAD: assert
    return 0;
}
