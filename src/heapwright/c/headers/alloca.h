/* Allocation on the stack. */
#ifndef HEAPWRIGHT_ALLOCA_H
#define HEAPWRIGHT_ALLOCA_H
typedef __SIZE_TYPE__ size_t;
#undef alloca
void *alloca(size_t size);
#define alloca(size) __builtin_alloca(size)
#endif
