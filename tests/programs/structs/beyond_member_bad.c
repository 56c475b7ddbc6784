// expect: unsafe
// gcc: no a sanitizer does not look inside of a struct
// A pointer to a member is no pointer to an array.
#include <assert.h>
#include <stdlib.h>

struct pair { int first, second; };
struct open { int length; int data[]; };

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    p->second = 2;
    int *first = &p->first;
    first[0] = 1;
    struct open *o = malloc(sizeof *o + 3 * sizeof(int));
    int *data = o->data, *length = &o->length;
    *length = 3;
    data[*length - 1] = 5;
    assert(o->data[2] == 5);
    free(o);
    first[1] = 7; // BAD: bounds
    assert(p->second == 2);
    free(p);
    return 0;
}
