/* Time and date: inputs, and text and structures that the library keeps. */
#include "intrinsics.h"
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

time_t time(time_t *result)
{
    time_t now = hw_model_input_long();
    if (result != NULL)
        *result = now;
    return now;
}

static void any_time(struct tm *result)
{
    result->tm_sec = hw_model_input_between(0, 60);
    result->tm_min = hw_model_input_between(0, 59);
    result->tm_hour = hw_model_input_between(0, 23);
    result->tm_mday = hw_model_input_between(1, 31);
    result->tm_mon = hw_model_input_between(0, 11);
    result->tm_year = hw_model_input_int();
    result->tm_wday = hw_model_input_between(0, 6);
    result->tm_yday = hw_model_input_between(0, 365);
    result->tm_isdst = hw_model_input_int();
}

static struct tm *kept_time(const time_t *time)
{
    static struct tm kept;
    time_t wanted = *time;
    (void)wanted;
    if (hw_model_input_between(0, 1))
        return NULL;
    any_time(&kept);
    return &kept;
}

struct tm *gmtime(const time_t *time)
{
    return kept_time(time);
}

struct tm *localtime(const time_t *time)
{
    return kept_time(time);
}

struct tm *gmtime_r(const time_t *time, struct tm *result)
{
    time_t wanted = *time;
    (void)wanted;
    any_time(result);
    return hw_model_input_between(0, 1) ? NULL : result;
}

struct tm *localtime_r(const time_t *time, struct tm *result)
{
    time_t wanted = *time;
    (void)wanted;
    any_time(result);
    return hw_model_input_between(0, 1) ? NULL : result;
}

time_t mktime(struct tm *time)
{
    int read = time->tm_sec + time->tm_min + time->tm_hour + time->tm_mday + time->tm_mon + time->tm_year;
    (void)read;
    any_time(time);
    return hw_model_input_long();
}

static char *kept_text(void)
{
    static char kept[26];
    hw_model_input_characters(kept, 25);
    kept[25] = 0;
    return kept;
}

char *asctime_r(const struct tm *time, char *buffer)
{
    int read = time->tm_sec + time->tm_min + time->tm_hour + time->tm_mday + time->tm_mon + time->tm_year;
    (void)read;
    hw_model_input_characters(buffer, 25);
    buffer[25] = 0;
    return hw_model_input_between(0, 1) ? NULL : buffer;
}

char *ctime_r(const time_t *time, char *buffer)
{
    time_t wanted = *time;
    (void)wanted;
    hw_model_input_characters(buffer, 25);
    buffer[25] = 0;
    return hw_model_input_between(0, 1) ? NULL : buffer;
}

char *asctime(const struct tm *time)
{
    int read = time->tm_sec + time->tm_min + time->tm_hour + time->tm_mday + time->tm_mon + time->tm_year;
    (void)read;
    return kept_text();
}

char *ctime(const time_t *time)
{
    time_t wanted = *time;
    (void)wanted;
    return kept_text();
}

size_t strftime(char *buffer, size_t size, const char *format, const struct tm *time)
{
    size_t length = 0;
    strlen(format);
    int read = time->tm_sec + time->tm_min + time->tm_hour + time->tm_mday + time->tm_mon + time->tm_year;
    (void)read;
    while (length + 1 < size && hw_model_approximate_between(0, 1)) {
        buffer[length] = (char)hw_model_approximate_between(1, 127);
        length++;
    }
    if (size == 0)
        return 0;
    buffer[length] = 0;
    return hw_model_approximate_between(0, 1) ? 0 : length;
}

int timespec_get(struct timespec *result, int base)
{
    result->tv_sec = hw_model_input_long();
    result->tv_nsec = hw_model_input_between(0, 999999999);
    return hw_model_input_between(0, 1) ? 0 : base;
}

int clock_gettime(clockid_t clock, struct timespec *result)
{
    result->tv_sec = hw_model_input_long();
    result->tv_nsec = hw_model_input_between(0, 999999999);
    return hw_model_input_between(-1, 0);
}

int nanosleep(const struct timespec *wanted, struct timespec *rest)
{
    long read = wanted->tv_sec + wanted->tv_nsec;
    (void)read;
    if (rest != NULL) {
        rest->tv_sec = hw_model_input_long();
        rest->tv_nsec = hw_model_input_between(0, 999999999);
    }
    return hw_model_input_between(-1, 0);
}

int gettimeofday(struct timeval *result, void *zone)
{
    if (result != NULL) {
        result->tv_sec = hw_model_input_long();
        result->tv_usec = hw_model_input_between(0, 999999);
    }
    if (zone != NULL) {
        ((struct timezone *)zone)->tz_minuteswest = hw_model_input_int();
        ((struct timezone *)zone)->tz_dsttime = hw_model_input_int();
    }
    return hw_model_input_between(-1, 0);
}
