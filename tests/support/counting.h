/* Included before a program so that its allocations are counted. */
#include <stdlib.h>
#include <string.h>
void *counting_malloc(size_t size);
void *counting_calloc(size_t count, size_t size);
void *counting_realloc(void *old, size_t size);
char *counting_strdup(const char *text);
void counting_free(void *block);
#define malloc counting_malloc
#define calloc counting_calloc
#define realloc counting_realloc
#undef strdup
#define strdup counting_strdup
#define free counting_free
