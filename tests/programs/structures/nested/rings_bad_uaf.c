// expect: unsafe
// options: --objects 4
// A shelf is freed before its books are.
#include <stdlib.h>

struct book {
    struct book *after, *before;
};

struct shelf {
    struct book books;
    struct shelf *below;
};

extern int __VERIFIER_nondet_int(void);

static void put(struct shelf *shelf) {
    struct book *book = malloc(sizeof *book);
    book->after = shelf->books.after;
    book->before = &shelf->books;
    book->after->before = book;
    shelf->books.after = book;
}

static void clear(struct shelf *shelf) {
    struct book *book = shelf->books.after; // BAD: use-after-free
    while (book != &shelf->books) {
        struct book *after = book->after;
        free(book);
        book = after;
    }
}

int main(void) {
    struct shelf *top = NULL;
    while (__VERIFIER_nondet_int()) {
        struct shelf *shelf = malloc(sizeof *shelf);
        shelf->books.after = shelf->books.before = &shelf->books;
        shelf->below = top;
        top = shelf;
        while (__VERIFIER_nondet_int())
            put(shelf);
    }
    while (top) {
        struct shelf *shelf = top;
        top = shelf->below;
        free(shelf); // BAD: leak
        clear(shelf);
    }
    return 0;
}
