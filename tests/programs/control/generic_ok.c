// expect: safe
#include <assert.h>
#include <stddef.h>

typedef struct point point;
struct point {
    int x, y;
};
typedef const char *text;

#define KIND(value) \
    _Generic((value), \
        int: 1, \
        unsigned long: 2, \
        char *: 3, \
        text: 4, \
        double: 5, \
        point: 6, \
        struct point *: 7, \
        const point *: 8, \
        default: 9)

static int twice(int value)
{
    return 2 * value;
}

static int none(double value)
{
    return 0;
}

static int global_kind = KIND('a');

int main(void)
{
    int a = 1, b = 2;
    char letters[4] = "abc";
    const point origin = {0, 0};
    point other;
    size_t size = 3;
    assert(KIND(a) == 1 && KIND(size) == 2 && KIND(letters) == 3 && KIND((const char *)letters) == 4);
    assert(KIND(1.0) == 5 && KIND(other) == 6 && KIND(&other) == 7 && KIND(&origin) == 8);
    assert(KIND((short)1) == 9 && KIND(&size) == 9 && global_kind == 1);
    assert(_Generic(a, int: twice, double: none)(21) == 42);
    _Generic(a, double: b, default: a) = 5;
    assert(a == 5 && b == 2);
    assert(_Generic("x,:?", int: 1, default: 3) == 3);
    return 0;
}
