/* The old name of string.h. */
#ifndef HEAPWRIGHT_MEMORY_H
#define HEAPWRIGHT_MEMORY_H
#include <string.h>
#endif
