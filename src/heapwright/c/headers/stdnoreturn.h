/* Functions that do not return. */
#ifndef HEAPWRIGHT_STDNORETURN_H
#define HEAPWRIGHT_STDNORETURN_H
#define noreturn _Noreturn
#endif
