/* The log of the system. */
#ifndef HEAPWRIGHT_SYSLOG_H
#define HEAPWRIGHT_SYSLOG_H
#include <stdarg.h>
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_PID 1
#define LOG_USER 8
#define LOG_DAEMON 24
void openlog(const char *name, int option, int facility);
void syslog(int priority, const char *format, ...);
void vsyslog(int priority, const char *format, va_list arguments);
void closelog(void);
#endif
