/* Vectors: those of SSE2, no others. */
#ifndef HEAPWRIGHT_TMMINTRIN_H
#define HEAPWRIGHT_TMMINTRIN_H
#include <emmintrin.h>
#endif
