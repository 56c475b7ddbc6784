// The tree of a Huffman code, in an array of nodes: a node is the sum of the two lightest ones before it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { SYMBOLS = 5, NODES = 2 * SYMBOLS - 1 };

struct node {
    unsigned weight;
    int left, right, used;
};

struct code {
    struct node nodes[NODES]; // seeded bounds: struct node nodes[NODES - 1];
    int count;
    unsigned char *lengths;
};

static int lightest(struct code *c)
{
    int best = -1;

    for (int i = 0; i < c->count; i++)
        if (!c->nodes[i].used && (best < 0 || c->nodes[i].weight < c->nodes[best].weight))
            best = i;
    if (best >= 0)
        c->nodes[best].used = 1;
    return best;
}

static void join(struct code *c)
{
    while (c->count < NODES) {
        int one = lightest(c), other = lightest(c);
        if (one < 0 || other < 0)
            return;
        c->nodes[c->count].weight = c->nodes[one].weight + c->nodes[other].weight;
        c->nodes[c->count].left = one;
        c->nodes[c->count].right = other;
        c->nodes[c->count].used = 0;
        c->count++;
    }
}

int main(void)
{
    struct code *c = calloc(1, sizeof *c);

    c->lengths = calloc(SYMBOLS, 1);
    for (c->count = 0; c->count < SYMBOLS; c->count++) { // seeded bounds: for (c->count = 0; c->count < 2 * SYMBOLS; c->count++) {
        c->nodes[c->count].weight = (unsigned)__VERIFIER_nondet_int() % 100;
        c->nodes[c->count].left = c->nodes[c->count].right = -1;
    }
    join(c);
    for (int i = 0; i < SYMBOLS; i++)
        c->lengths[i] = (unsigned char)c->nodes[i].used;
    free(c->lengths); // seeded leak: c->lengths = NULL;
    free(c);
    return 0;
}
