// Numbers of any length, least digit first, in arrays that grow; the factorial of a small number.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct number {
    unsigned char *digits;
    size_t length, room;
};

static void append(struct number *n, unsigned digit)
{
    if (n->length == n->room) { // seeded null-deref: if (n->length > n->room) {
        size_t room = n->room ? 2 * n->room : 4;
        n->digits = realloc(n->digits, room * sizeof *n->digits); // seeded bounds: n->digits = realloc(n->digits, room - 1);
        n->room = room;
    }
    n->digits[n->length++] = (unsigned char)digit;
}

static void multiply(struct number *n, unsigned by)
{
    unsigned carry = 0;

    for (size_t i = 0; i < n->length; i++) { // seeded bounds: for (size_t i = 0; i <= n->room; i++) {
        carry += n->digits[i] * by;
        n->digits[i] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    while (carry) {
        append(n, carry % 10);
        carry /= 10;
    }
}

int main(void)
{
    struct number n = {NULL, 0, 0};
    unsigned most = (unsigned)__VERIFIER_nondet_int() % 12;

    append(&n, 1);
    for (unsigned i = 2; i <= most; i++)
        multiply(&n, i);
    free(n.digits);
    return 0;
}
