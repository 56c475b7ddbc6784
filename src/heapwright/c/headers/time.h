/* Time and date. */
#ifndef HEAPWRIGHT_TIME_H
#define HEAPWRIGHT_TIME_H

typedef __SIZE_TYPE__ size_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;

#undef NULL
#define NULL ((void *)0)
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1

#ifndef HEAPWRIGHT_STRUCT_TIMESPEC
#define HEAPWRIGHT_STRUCT_TIMESPEC
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#endif

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
};

clock_t clock(void);
time_t time(time_t *result);
time_t mktime(struct tm *time);
double difftime(time_t later, time_t earlier);
char *asctime(const struct tm *time);
char *ctime(const time_t *time);
char *asctime_r(const struct tm *time, char *buffer);
char *ctime_r(const time_t *time, char *buffer);
char *strptime(const char *text, const char *format, struct tm *time);
void tzset(void);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
struct tm *gmtime_r(const time_t *time, struct tm *result);
struct tm *localtime_r(const time_t *time, struct tm *result);
size_t strftime(char *buffer, size_t size, const char *format, const struct tm *time);
int timespec_get(struct timespec *result, int base);
int clock_gettime(clockid_t clock, struct timespec *result);
int nanosleep(const struct timespec *wanted, struct timespec *rest);

#endif
