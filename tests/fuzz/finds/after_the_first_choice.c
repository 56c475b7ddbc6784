// explore: wrong proof: parts of objects were taken for others once a run made its first choice
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct pair { int low; int high; };
int main(void)
{
    struct pair pairs[2] = { { 0, 1 }, { 2, 3 } };
    int *p = &pairs[1].high;
    if (__VERIFIER_nondet_int() > 0)
        pairs[1].high = 4;
    assert(*p == 3);
    return 0;
}
