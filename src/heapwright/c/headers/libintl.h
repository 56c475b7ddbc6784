/* Messages in other languages. */
#ifndef HEAPWRIGHT_LIBINTL_H
#define HEAPWRIGHT_LIBINTL_H
char *gettext(const char *message);
char *dgettext(const char *domain, const char *message);
char *ngettext(const char *one, const char *many, unsigned long count);
char *textdomain(const char *domain);
char *bindtextdomain(const char *domain, const char *folder);
#endif
