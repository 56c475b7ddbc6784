// function: main
// inputs: separate
// explore: wrong proof: all runs seemed to end at the second store, where none does
#include <assert.h>
struct pair { int low; int high; };
extern void both(int *v, int *u);
extern void raw(void *m);
static void pass(int *t)
{
    raw(t);
}
int main(void)
{
    int i = 0;
    struct pair pairs[2] = { { 0, 1 }, { 2, 3 } };
    for (int k = 0; k < 2; k++) {
        pairs[1].high = k;
        both(&pairs[1].high, &i);
        if (pairs[1].high > 6)
            pairs[1].low = 0;
    }
    pass(&i);
    assert(i == 0);
    return i;
}
