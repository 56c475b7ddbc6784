// expect: safe
// Unions in structs in arrays; pointers to pointers and to rows; strings in tables.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

union value {
    int number;
    unsigned char bytes[4];
    void *pointer;
};

struct tagged {
    int tag;
    union value value;
};

int main(void)
{
    struct tagged a[2] = {{1, {.number = 5}}, {2, {.pointer = NULL}}};
    assert(a[0].value.number == 5 && a[1].value.pointer == NULL);
    struct tagged c = a[0];
    c.value.pointer = &a[1];
    assert(((struct tagged *)c.value.pointer)->tag == 2);
    struct tagged *table[2] = {&a[0], &a[1]}, **place = table;
    place++;
    assert((*place)->tag == 2 && place[-1]->tag == 1);
    char *names[] = {"one", "two"};
    assert(names[1][2] == 'o' && strlen(names[0]) == 3);
    char rows[2][4];
    strcpy(rows[1], "abc");
    assert(rows[1][1] == 'b');
    long *big = calloc(3, sizeof(long)), *end = big + 3;
    big[2] = 40;
    assert(end - big == 3 && end[-1] == 40);
    free(big);
    return 0;
}
