// expect: safe
// Eight steps of an eighth add up to one.
int main(void)
{
    int steps[8] = {0}, i = 0;
    for (float x = 0; x < 1; x += 0.125f) {
        steps[i] = 1;
        i++;
    }
    return steps[0];
}
