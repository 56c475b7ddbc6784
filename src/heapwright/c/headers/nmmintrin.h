/* Vectors: those of SSE2, no others. */
#ifndef HEAPWRIGHT_NMMINTRIN_H
#define HEAPWRIGHT_NMMINTRIN_H
#include <emmintrin.h>
#endif
