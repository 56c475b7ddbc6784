/* What a program under tests/programs needs to run as an ordinary one: inputs drawn from the seed in HW_SEED, the
 * functions of the verification competition, and an allocator that counts. `counting.h` redirects the calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;

static unsigned draw(unsigned below)
{
    unsigned long long mixed;
    if (!state)
        state = strtoull(getenv("HW_SEED") ? getenv("HW_SEED") : "0", NULL, 10) * 1000003;
    mixed = state += 0x9e3779b97f4a7c15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    return (unsigned)(mixed >> 33) % below;
}

/* Mostly small numbers, now and then one that the programs compare with. */
static int some_int(void)
{
    static const int special[] = {-1000, 7, 97, 98, 99, 100, 1001, 'a'};
    unsigned number = draw(32);
    return number < 8 ? special[number] : (int)(number % 8) - 2;
}

_Bool __VERIFIER_nondet_bool(void) { return draw(2); }
int __VERIFIER_nondet_int(void) { return some_int(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)some_int() & 0x7f; }
char __VERIFIER_nondet_char(void) { return draw(2) ? 'a' : (char)some_int(); }
void *__VERIFIER_nondet_pointer(void) { return draw(2) ? NULL : (void *)1; }

/* A run that does not count ends in a way of its own. */
void __VERIFIER_assume(int condition)
{
    if (!condition)
        _Exit(99);
}

__attribute__((weak)) void reach_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_error(void) { abort(); }

static long live;

static void report(void)
{
    fprintf(stderr, "live blocks: %ld\n", live);
}

static int fails(void)
{
    static int known;
    if (!known) {
        known = 1;
        atexit(report);
    }
    return getenv("HW_MAY_FAIL") != NULL && draw(2);
}

void *counting_malloc(size_t size)
{
    void *block = fails() ? NULL : malloc(size);
    live += block != NULL;
    return block;
}

void *counting_calloc(size_t count, size_t size)
{
    void *block = fails() ? NULL : calloc(count, size);
    live += block != NULL;
    return block;
}

void *counting_realloc(void *old, size_t size)
{
    void *block = fails() ? NULL : realloc(old, size);
    live += block != NULL && old == NULL;
    return block;
}

char *counting_strdup(const char *text)
{
    char *copy = counting_malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

void counting_free(void *block)
{
    live -= block != NULL;
    free(block);
}
