// expect: safe
// Halves and bytes of a union that can hold a pointer, too: those that are not written keep what they were.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

union word {
    long n;
    char *p;
    unsigned char c[8];
    int half[2];
};

int main(void)
{
    union word w, kept;
    memset(&w, 0, sizeof w);
    w.half[0] = 2;
    w.half[1] = -4;
    assert(w.n == -17179869182);
    w.c[0] = 3;
    assert(w.half[0] == 3 && w.n == -17179869181);
    char *text = malloc(4);
    if (!text)
        return 1;
    text[1] = 'x';
    w.p = text;
    kept = w;
    w.half[1] = 7;
    assert(w.half[1] == 7);
    w.half[1] = kept.half[1];
    assert(w.p[1] == 'x');
    w.p = NULL;
    free(kept.p);
    return 0;
}
