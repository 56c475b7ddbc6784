// expect: safe
// Floating-point numbers are those of IEEE 754: single and double precision, rounded to nearest.
#include <assert.h>
#include <math.h>

static float half(float value)
{
    return value / 2;
}

struct point {
    double x;
    float y;
};

int main(void)
{
    double tenth = 0.1, third = 1.0 / 3;
    float small = 0.1f;
    assert(tenth != small && (float)tenth == small);
    assert(0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f);
    assert(third * 3 == 1 && (int)(tenth * 30) == 3 && (int)-2.9 == -2);
    assert((float)16777217 == 16777216 && (double)16777217 == 16777217);
    assert((float)0x7fffffffffffffffL == 9223372036854775808.0f);
    assert(half(3) == 1.5 && half(-0.0f) == 0);
    double huge = 1e308, none = huge * 10 - huge * 10;
    assert(huge * 10 > huge && none != none && !(none < 1) && !(none >= 1));
    assert(1 / -0.0 < 0 && -0.0 == 0 && !(0.0 || -0.0));
    assert(sqrt(2.25) == 1.5 && floor(-1.5) == -2 && ceil(1.25) == 2 && fabs(-3.5) == 3.5 && fmod(7.5, 2) == 1.5);
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += tenth;
    assert(sum != 1 && sum > 0.999);
    int count = 7;
    count *= 1.5;
    assert(count == 10);
    count += small;
    float steps = 0.5f;
    steps++;
    assert(count == 10 && steps-- == 1.5f && steps == 0.5f);
    struct point points[2] = {{1.5, 2.5f}, {.y = 4}};
    points[1] = points[0];
    assert(points[1].x + points[1].y == 4 && (_Bool)points[0].x);
    unsigned char byte = (unsigned char)200.7;
    assert(byte == 200 && (long)1e15 == 1000000000000000 && (tenth ? 1 : 2) == 1);
    return 0;
}
