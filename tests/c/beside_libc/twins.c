/* Twins of the intrinsics: choices come from what the real function did. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
struct heapwright_file { int open; int ended; int pushed; int begun; };
struct model_state { int state; };
static const char *testing = "";
static long long fed[8192];
static int fed_count, fed_at, approximations;
static const char *fed_bytes;
static void refuse(const char *why, long long value)
{
    printf("%s: the model does not allow the real outcome: %s %lld\n", testing, why, value);
    exit(1);
}
static long long next(void)
{
    if (fed_at == fed_count)
        refuse("more choices than", fed_count);
    return fed[fed_at++];
}
static int hw_model_input_between(int low, int high)
{
    long long value = next();
    if (value < low || value > high)
        refuse("out of range", value);
    return (int)value;
}
#define ANY(name, type) static type hw_model_input_##name(void) { return (type)next(); }
ANY(int, int) ANY(long, long) ANY(char, char) ANY(unsigned_int, unsigned) ANY(unsigned_long, unsigned long)
ANY(unsigned_short, unsigned short) ANY(unsigned_char, unsigned char)
static int hw_model_approximate_between(int low, int high) { return hw_model_input_between(low, high); }
static int hw_model_approximate_int(void) { return (int)next(); }
static char hw_model_approximate_char(void) { return (char)next(); }
static double hw_model_approximate_double(void) { return (double)next(); }
static int hw_model_either(void) { return 0; }
static int hw_model_calls(const char *names) { return 1; }
static int hw_model_records(void) { return 0; }
static void hw_model_text(const char *specification, ...) {}
static void hw_model_unmodelled(void) { refuse("it is not modelled", 0); }
static void hw_model_assume(int condition) { if (!condition) refuse("an assumption", fed_at); }
static void *hw_model_environment(size_t size) { return malloc(size); }
static void hw_model_end(void *object) { free(object); }
static void hw_model_reserve(char *target, size_t count) { if (count > 0) { target[0] = 'r'; target[count - 1] = 'r'; } }
static void hw_model_store(char *target, size_t index, char value) { target[index] = value; }
static void hw_model_use_elements(const void *base, size_t count, size_t size)
{
    volatile char first = count * size > 0 ? *(const char *)base : 0;
    volatile char last = count * size > 0 ? ((const char *)base)[count * size - 1] : first;
    (void)last;
}
static void hw_model_input_element(void *base, size_t index, size_t size)
{
    memcpy((char *)base + index * size, fed_bytes + index * size, size);
}
#define TRUTH(value) (value)
#define PUSHES hw_model_calls("ungetc")
#define SEEKS hw_model_calls("rewind")
