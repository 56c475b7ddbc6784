/* Vectors: those of SSE2, no others. */
#ifndef HEAPWRIGHT_PMMINTRIN_H
#define HEAPWRIGHT_PMMINTRIN_H
#include <emmintrin.h>
#endif
