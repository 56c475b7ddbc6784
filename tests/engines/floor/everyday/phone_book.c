// A phone book: entries with names of bounded length, in an array that grows; entries are removed by moving the last one.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { NAME = 12 };

struct entry {
    char name[NAME];
    int number;
};

struct book {
    struct entry *entries;
    size_t count, room;
};

static int add(struct book *b, int number)
{
    if (b->count == b->room) {
        size_t room = b->room ? b->room * 2 : 2;
        struct entry *entries = realloc(b->entries, room * sizeof *entries);
        if (!entries)
            return 0;
        b->entries = entries;
        b->room = room; // seeded invalid-deref: b->room = room + 1;
    }
    struct entry *e = &b->entries[b->count];
    size_t at = 0;
    while (at < NAME - 1) { // seeded bounds: while (at <= NAME) {
        int c = __VERIFIER_nondet_int();
        if (c < 'a' || c > 'z')
            break;
        e->name[at++] = (char)c;
    }
    e->name[at] = 0;
    e->number = number;
    b->count++;
    return 1;
}

static void remove_entry(struct book *b, size_t at)
{
    if (at >= b->count)
        return;
    b->count--;
    b->entries[at].number = b->entries[b->count].number;
    for (size_t i = 0; i < NAME; i++)
        b->entries[at].name[i] = b->entries[b->count].name[i];
}

int main(void)
{
    struct book b = {NULL, 0, 0};

    for (int i = 0; i < 5; i++)
        if (!add(&b, i))
            break;
    remove_entry(&b, (size_t)__VERIFIER_nondet_int());
    long sum = 0;
    for (size_t i = 0; i < b.count; i++)
        sum += b.entries[i].number;
    free(b.entries); // seeded double-free: free(b.entries); free(b.entries);
    return (int)(sum & 1);
}
