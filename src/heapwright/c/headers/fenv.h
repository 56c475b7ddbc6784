/* The floating-point environment: round to nearest, no exceptions are seen. */
#ifndef HEAPWRIGHT_FENV_H
#define HEAPWRIGHT_FENV_H
typedef struct { int state; } fenv_t;
typedef unsigned short fexcept_t;
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
int feclearexcept(int exceptions);
int fetestexcept(int exceptions);
int feraiseexcept(int exceptions);
int fegetround(void);
#endif
