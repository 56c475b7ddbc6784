// expect: safe
#include <math.h>

int main(void)
{
    int cells[3] = {0}, exponent = 0;
    double whole, part = modf(2.75, &whole);
    cells[(int)whole] = part > 0.5;
    frexp(part, &exponent);
    return cells[2] - 1 + (exponent > 2000);
}
