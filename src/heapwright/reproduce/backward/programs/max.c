/* The index of a greatest element of a, which has n cells. The index to begin with comes from the caller, and a[0] is
 * never looked at: the function is faulty unless mi is 0 or some other element is as great as the first.
 */
#include <assert.h>
#include "heapwright.h"

int max(int *a, int n, int mi)
{
    int i = 1;
    int j;

    while (i < n) {
        if (a[mi] < a[i])
            mi = i;
        i++;
    }
    j = hw_any_int();
    hw_assume(0 <= j && j < n);
    assert(a[mi] >= a[j]); /* for every element a[j] */
    return mi;
}
