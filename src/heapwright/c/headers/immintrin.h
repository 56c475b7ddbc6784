/* Vectors: those of SSE2, no others. */
#ifndef HEAPWRIGHT_IMMINTRIN_H
#define HEAPWRIGHT_IMMINTRIN_H
#include <emmintrin.h>
#endif
