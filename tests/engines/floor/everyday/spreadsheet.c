// Cells of a spreadsheet: a number, or the sum of a range of its column above.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum kind { EMPTY, NUMBER, SUM };

struct cell {
    enum kind kind;
    int number;
    unsigned first, last;
};

struct sheet {
    unsigned rows, columns;
    struct cell *cells;
};

static struct cell *cell_at(struct sheet *s, unsigned row, unsigned column)
{
    if (row >= s->rows || column >= s->columns) // seeded bounds: if (row > s->rows || column >= s->columns)
        return NULL;
    return &s->cells[row * s->columns + column];
}

static unsigned value(struct sheet *s, unsigned row, unsigned column)
{
    struct cell *c = cell_at(s, row, column);
    unsigned total = 0;

    if (!c)
        return 0;
    if (c->kind == NUMBER)
        return (unsigned)c->number;
    if (c->kind != SUM)
        return 0;
    for (unsigned i = c->first; i < c->last && i < row; i++) {
        struct cell *other = cell_at(s, i, column);
        if (other && other->kind == NUMBER)
            total += (unsigned)other->number;
    }
    return total;
}

int main(void)
{
    struct sheet s = {4, 3, NULL};
    unsigned total = 0;

    s.cells = calloc(s.rows * s.columns, sizeof *s.cells); // seeded bounds: s.cells = calloc(s.rows * s.columns - 1, sizeof *s.cells);
    for (int i = 0; i < 5; i++) {
        struct cell *c = cell_at(&s, (unsigned)__VERIFIER_nondet_int(), (unsigned)__VERIFIER_nondet_int());
        if (!c) // seeded null-deref: if (i > 9)
            continue;
        c->kind = __VERIFIER_nondet_int() ? NUMBER : SUM;
        c->number = __VERIFIER_nondet_int();
        c->first = 0;
        c->last = s.rows;
    }
    for (unsigned row = 0; row < s.rows; row++)
        for (unsigned column = 0; column < s.columns; column++)
            total += value(&s, row, column);
    free(s.cells);
    return (int)(total & 1);
}
