// expect: unknown
// gcc: no other definition
// Only another file knows how long the array is, and what it holds.
#include <assert.h>

extern int table[];

int main(void)
{
    assert(table[0] == 0);
    return table[3];
}
