/* Conversion of integer types of known width. */
#ifndef HEAPWRIGHT_INTTYPES_H
#define HEAPWRIGHT_INTTYPES_H

#include <stdint.h>

#if __LONG_MAX__ > __INT_MAX__
#define HEAPWRIGHT_PRI64 "l"
#define HEAPWRIGHT_PRIPTR "l"
#else
#define HEAPWRIGHT_PRI64 "ll"
#define HEAPWRIGHT_PRIPTR ""
#endif

#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 HEAPWRIGHT_PRI64 "d"
#define PRIdMAX HEAPWRIGHT_PRI64 "d"
#define PRIdPTR HEAPWRIGHT_PRIPTR "d"
#define PRIi8 "i"
#define PRIi16 "i"
#define PRIi32 "i"
#define PRIi64 HEAPWRIGHT_PRI64 "i"
#define PRIiMAX HEAPWRIGHT_PRI64 "i"
#define PRIiPTR HEAPWRIGHT_PRIPTR "i"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 HEAPWRIGHT_PRI64 "u"
#define PRIuMAX HEAPWRIGHT_PRI64 "u"
#define PRIuPTR HEAPWRIGHT_PRIPTR "u"
#define PRIo8 "o"
#define PRIo16 "o"
#define PRIo32 "o"
#define PRIo64 HEAPWRIGHT_PRI64 "o"
#define PRIoMAX HEAPWRIGHT_PRI64 "o"
#define PRIoPTR HEAPWRIGHT_PRIPTR "o"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 HEAPWRIGHT_PRI64 "x"
#define PRIxMAX HEAPWRIGHT_PRI64 "x"
#define PRIxPTR HEAPWRIGHT_PRIPTR "x"
#define PRIX8 "X"
#define PRIX16 "X"
#define PRIX32 "X"
#define PRIX64 HEAPWRIGHT_PRI64 "X"
#define PRIXMAX HEAPWRIGHT_PRI64 "X"
#define PRIXPTR HEAPWRIGHT_PRIPTR "X"
#define SCNd8 "hhd"
#define SCNd16 "hd"
#define SCNd32 "d"
#define SCNd64 HEAPWRIGHT_PRI64 "d"
#define SCNdMAX HEAPWRIGHT_PRI64 "d"
#define SCNdPTR HEAPWRIGHT_PRIPTR "d"
#define SCNi8 "hhi"
#define SCNi16 "hi"
#define SCNi32 "i"
#define SCNi64 HEAPWRIGHT_PRI64 "i"
#define SCNiMAX HEAPWRIGHT_PRI64 "i"
#define SCNiPTR HEAPWRIGHT_PRIPTR "i"
#define SCNu8 "hhu"
#define SCNu16 "hu"
#define SCNu32 "u"
#define SCNu64 HEAPWRIGHT_PRI64 "u"
#define SCNuMAX HEAPWRIGHT_PRI64 "u"
#define SCNuPTR HEAPWRIGHT_PRIPTR "u"
#define SCNo8 "hho"
#define SCNo16 "ho"
#define SCNo32 "o"
#define SCNo64 HEAPWRIGHT_PRI64 "o"
#define SCNoMAX HEAPWRIGHT_PRI64 "o"
#define SCNoPTR HEAPWRIGHT_PRIPTR "o"
#define SCNx8 "hhx"
#define SCNx16 "hx"
#define SCNx32 "x"
#define SCNx64 HEAPWRIGHT_PRI64 "x"
#define SCNxMAX HEAPWRIGHT_PRI64 "x"
#define SCNxPTR HEAPWRIGHT_PRIPTR "x"

typedef struct {
    intmax_t quot;
    intmax_t rem;
} imaxdiv_t;

intmax_t imaxabs(intmax_t value);
imaxdiv_t imaxdiv(intmax_t numerator, intmax_t denominator);
intmax_t strtoimax(const char *text, char **end, int base);
uintmax_t strtoumax(const char *text, char **end, int base);

#endif
