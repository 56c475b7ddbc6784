// expect: safe
// A matrix of rows on the heap, characters in a growing buffer, a jump into a loop.
#include <assert.h>
#include <stdlib.h>

static void fill(char *p, int n)
{
    while (n--)
        *p++ = 'a' + n;
}

int main(void)
{
    char *h = malloc(4);
    fill(h, 4);
    h = realloc(h, 8);
    assert(h[0] == 'd' && h[3] == 'a');
    h[7] = 1;
    free(h);
    int **m = malloc(2 * sizeof *m);
    for (int i = 0; i < 2; i++) {
        m[i] = calloc(2, sizeof **m);
        m[i][1] = i;
    }
    assert(m[1][1] == 1 && m[1][0] == 0);
    for (int i = 0; i < 2; i++)
        free(m[i]);
    free(m);
    int reached = 0;
    goto inside;
    while (0) {
    inside:
        reached = 1;
    }
    assert(reached == 1);
    return 0;
}
