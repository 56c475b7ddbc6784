// expect: safe
// An array of ten pointers is filled as far as there are blocks, and emptied from the end.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job { int number; };

int main(void)
{
    int length = 10, used = 0;
    struct job **jobs = malloc(length * sizeof *jobs);
    while (used < length && __VERIFIER_nondet_int()) {
        jobs[used] = malloc(sizeof(struct job));
        jobs[used]->number = used;
        used++;
    }
    for (int last = used - 1; last >= 0; last--)
        free(jobs[last]);
    free(jobs);
    return 0;
}
