/* Vectors: those of SSE2, no others. */
#ifndef HEAPWRIGHT_X86INTRIN_H
#define HEAPWRIGHT_X86INTRIN_H
#include <emmintrin.h>
#endif
