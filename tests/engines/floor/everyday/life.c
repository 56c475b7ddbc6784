// The game of life on a torus, with two boards that take turns.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { WIDTH = 5, HEIGHT = 4 };

static unsigned neighbours(const unsigned char *board, int x, int y)
{
    unsigned count = 0;

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int column = (x + dx + WIDTH) % WIDTH, row = (y + dy + HEIGHT) % HEIGHT; // seeded bounds: int column = x + dx, row = (y + dy + HEIGHT) % HEIGHT;
            if (dx || dy)
                count += board[row * WIDTH + column];
        }
    return count;
}

static void step(const unsigned char *from, unsigned char *to)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) { // seeded bounds: for (int x = 0; x <= WIDTH; x++) {
            unsigned count = neighbours(from, x, y);
            to[y * WIDTH + x] = count == 3 || (count == 2 && from[y * WIDTH + x]);
        }
}

int main(void)
{
    unsigned char *now = calloc(WIDTH * HEIGHT, 1), *next = calloc(WIDTH * HEIGHT, 1);

    for (int i = 0; i < WIDTH * HEIGHT; i += 3)
        now[i] = __VERIFIER_nondet_int() & 1;
    for (int round = 0; round < 3; round++) {
        unsigned char *last = now;
        step(now, next);
        now = next;
        next = last; // seeded double-free: next = now;
    }
    free(now);
    free(next);
    return 0;
}
