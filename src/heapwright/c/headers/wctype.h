/* Classes of wide characters. */
#ifndef HEAPWRIGHT_WCTYPE_H
#define HEAPWRIGHT_WCTYPE_H
typedef __WINT_TYPE__ wint_t;
typedef unsigned long wctype_t;
typedef const int *wctrans_t;
#undef WEOF
#define WEOF ((wint_t)-1)
int iswalnum(wint_t character);
int iswalpha(wint_t character);
int iswblank(wint_t character);
int iswcntrl(wint_t character);
int iswctype(wint_t character, wctype_t type);
int iswdigit(wint_t character);
int iswgraph(wint_t character);
int iswlower(wint_t character);
int iswprint(wint_t character);
int iswpunct(wint_t character);
int iswspace(wint_t character);
int iswupper(wint_t character);
int iswxdigit(wint_t character);
wint_t towctrans(wint_t character, wctrans_t mapping);
wint_t towlower(wint_t character);
wint_t towupper(wint_t character);
wctrans_t wctrans(const char *name);
wctype_t wctype(const char *name);
#endif
