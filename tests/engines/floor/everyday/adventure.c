// A text adventure: rooms are a table, exits are indices into it, and what is carried is a list.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { ROOMS = 6, NOWHERE = -1 };

struct thing {
    int weight;
    struct thing *next;
};

struct room {
    int exits[4];
    int visits;
};

static struct room rooms[ROOMS];

static void connect(int from, int side, int to)
{
    if (from < 0 || from >= ROOMS || to < 0 || to >= ROOMS) // seeded bounds: if (from < 0 || from > ROOMS || to < 0 || to >= ROOMS)
        return;
    if (side < 0 || side > 3) // seeded bounds: if (side < 0 || side > 4)
        return;
    rooms[from].exits[side] = to;
    rooms[to].exits[(side + 2) % 4] = from;
}

static struct thing *take(struct thing *bag, int weight)
{
    struct thing *found = malloc(sizeof *found);
    found->weight = weight;
    found->next = bag;
    return found;
}

int main(void)
{
    struct thing *bag = NULL;
    int here = 0, steps = 0;

    for (int i = 0; i < ROOMS; i++)
        for (int side = 0; side < 4; side++)
            rooms[i].exits[side] = NOWHERE;
    for (int i = 0; i < 4; i++)
        connect(__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    while (steps++ < 20) {
        int side = __VERIFIER_nondet_int() & 3;
        int next = rooms[here].exits[side];
        if (next >= 0 && next < ROOMS)
            here = next;
        rooms[here].visits++;
        if (rooms[here].visits == 1)
            bag = take(bag, here);
    }
    while (bag) {
        struct thing *rest = bag->next;
        free(bag); // seeded use-after-free: free(rest);
        bag = rest;
    }
    return 0;
}
