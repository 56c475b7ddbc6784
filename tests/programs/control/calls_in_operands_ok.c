// expect: safe
// A function called twice in one expression: neither result may overwrite the other.
#include <assert.h>

struct pair { int x, y; };

static int one, two, cells[9];
static struct pair first = {1, 2}, second = {3, 4};
static struct pair *current = &first;

static int *number(int which) { return which ? &one : &two; }
static int *cell(int index) { return &cells[index]; }
static struct pair *pair(int which) { return which ? &first : &second; }
static int digits(struct pair a, struct pair b) { return 10 * a.x + b.x; }

static int turn(void)
{
    current = &second;
    return 5;
}

int main(void)
{
    one = 1;
    two = 10;
    *number(1) += *number(0);
    assert(one == 11 && two == 10);
    assert(cell(7) - cell(2) == 5);
    assert(digits(*pair(1), *pair(0)) == 13);
    current->x += turn();
    assert((first.x == 6 && second.x == 3) || (first.x == 1 && second.x == 8));
    *pair(1) = *pair(0);
    assert(first.x == second.x && first.y == 4);
    return 0;
}
