/* Jumps between functions: declared so that a program that uses them is refused by name. */
#ifndef HEAPWRIGHT_SETJMP_H
#define HEAPWRIGHT_SETJMP_H
typedef long jmp_buf[32];
typedef long sigjmp_buf[32];
int setjmp(jmp_buf place);
int sigsetjmp(sigjmp_buf place, int save);
__attribute__((__noreturn__)) void longjmp(jmp_buf place, int value);
__attribute__((__noreturn__)) void siglongjmp(sigjmp_buf place, int value);
#endif
