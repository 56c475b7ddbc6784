/* The old name of what stdlib.h says about allocation. */
#ifndef HEAPWRIGHT_MALLOC_H
#define HEAPWRIGHT_MALLOC_H
#include <stddef.h>
#include <stdlib.h>
void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);
size_t malloc_usable_size(void *block);
#endif
