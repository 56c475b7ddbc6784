/* Vectors: those of SSE2, no others. */
#ifndef HEAPWRIGHT_SMMINTRIN_H
#define HEAPWRIGHT_SMMINTRIN_H
#include <emmintrin.h>
#endif
