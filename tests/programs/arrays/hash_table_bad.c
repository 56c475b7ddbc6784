// expect: unsafe
// A remainder may be negative.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct entry {
    int key;
    struct entry *next;
};

static struct entry *table[2];

static void insert(int key)
{
    struct entry *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->next = table[key % 2]; // BAD: bounds
    table[key % 2] = fresh;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        int key = __VERIFIER_nondet_int();
        __VERIFIER_assume(-2 < key && key < 4);
        insert(key);
    }
    for (int i = 0; i < 2; i++)
        while (table[i]) {
            struct entry *old = table[i];
            assert(old->key % 2 == i);
            table[i] = old->next;
            free(old);
        }
    return 0;
}
