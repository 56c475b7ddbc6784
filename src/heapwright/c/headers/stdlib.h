/* Allocation, termination, conversion, sorting and random numbers. */
#ifndef HEAPWRIGHT_STDLIB_H
#define HEAPWRIGHT_STDLIB_H

typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;

#undef NULL
#define NULL ((void *)0)

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)4)

typedef struct {
    int quot;
    int rem;
} div_t;
typedef struct {
    long quot;
    long rem;
} ldiv_t;
typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *reallocarray(void *block, size_t count, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **result, size_t alignment, size_t size);
void *alloca(size_t size);
#define alloca(size) __builtin_alloca(size)
void free(void *block);

__attribute__((__noreturn__)) void abort(void);
__attribute__((__noreturn__)) void exit(int status);
__attribute__((__noreturn__)) void _Exit(int status);
__attribute__((__noreturn__)) void quick_exit(int status);
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));
int system(const char *command);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *setting);
char *realpath(const char *name, char *result);
int mkstemp(char *pattern);
char *mkdtemp(char *pattern);

int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int numerator, int denominator);
ldiv_t ldiv(long numerator, long denominator);
lldiv_t lldiv(long long numerator, long long denominator);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
float strtof(const char *text, char **end);
double strtod(const char *text, char **end);
long double strtold(const char *text, char **end);

int rand(void);
void srand(unsigned int seed);
int rand_r(unsigned int *seed);
long random(void);
void srandom(unsigned int seed);
double drand48(void);
long lrand48(void);
long mrand48(void);
void srand48(long seed);

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));

int mblen(const char *text, size_t count);
int mbtowc(wchar_t *result, const char *text, size_t count);
int wctomb(char *text, wchar_t character);
size_t mbstowcs(wchar_t *target, const char *source, size_t count);
size_t wcstombs(char *target, const wchar_t *source, size_t count);

#endif
