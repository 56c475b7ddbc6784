// expect: unsafe
// gcc: no the sanitizers do not see it
// Objects that are defined const cannot be written, whatever a cast says.
#include <string.h>

struct pair {
    int left;
    int right;
};
static const int table[3] = {1, 2, 3};
static const struct pair fixed = {1, 2};
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    const int local = 1;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        ((int *)table)[1] = 5; // BAD: invalid-deref
        break;
    case 1:
        ((struct pair *)&fixed)->right = 5; // BAD: invalid-deref
        break;
    case 2:
        *(int *)&local = 2; // BAD: invalid-deref
        break;
    case 3:
        strcpy((char *)"abc", "x"); // BAD: invalid-deref
        break;
    }
    return 0;
}
