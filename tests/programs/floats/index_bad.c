// expect: unsafe
// Ten steps of a tenth do not add up to one: there is one more.
int main(void)
{
    int steps[10] = {0}, i = 0;
    for (double x = 0; x < 1; x += 0.1) {
        steps[i] = 1; // BAD: bounds
        i++;
    }
    return steps[0];
}
