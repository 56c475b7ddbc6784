// expect: unsafe
#include <string.h>

struct pair {
    int a;
    int b;
};

int main(void)
{
    struct pair p = {1, 2};
    int numbers[1];
    memcpy(numbers, &p, sizeof p); // BAD: bounds
    return 0;
}
