/* Strings that belong to the environment, and functions that only read what they are handed. */
#include "intrinsics.h"
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char *text_of_the_environment(void)
{
    size_t length = (size_t)hw_model_input_between(0, 2147483646);
    char *text = hw_model_environment((length + 1) * sizeof(char));
    hw_model_store(text, length, 0);
    return text;
}

static char *word_of_the_environment(void)
{
    size_t length = (size_t)hw_model_input_between(1, 2147483646);
    char *text = hw_model_environment((length + 1) * sizeof(char));
    hw_model_store(text, length, 0);
    hw_model_store(text, 0, (char)hw_model_input_between(1, 255));
    return text;
}

char *getenv(const char *name)
{
    static char *known;
    strlen(name);
    if (hw_model_input_between(0, 1))
        return NULL;
    if (known == NULL || hw_model_input_between(0, 1))
        known = text_of_the_environment();
    return known;
}

char *strerror(int number)
{
    static char *known;
    if (known == NULL || hw_model_input_between(0, 1))
        known = text_of_the_environment();
    return known;
}

char *setlocale(int category, const char *locale)
{
    static char *known;
    if (locale != NULL)
        strlen(locale);
    if (hw_model_input_between(0, 1))
        return NULL;
    if (known == NULL || hw_model_input_between(0, 1))
        known = text_of_the_environment();
    return known;
}

static char number_of_the_environment(void)
{
    return (char)hw_model_input_between(0, 127);
}

struct lconv *localeconv(void)
{
    static struct lconv known;
    if (known.decimal_point == NULL || hw_model_input_between(0, 1)) {
        known.decimal_point = word_of_the_environment();
        known.thousands_sep = text_of_the_environment();
        known.grouping = text_of_the_environment();
        known.int_curr_symbol = text_of_the_environment();
        known.currency_symbol = text_of_the_environment();
        known.mon_decimal_point = text_of_the_environment();
        known.mon_thousands_sep = text_of_the_environment();
        known.mon_grouping = text_of_the_environment();
        known.positive_sign = text_of_the_environment();
        known.negative_sign = text_of_the_environment();
        known.int_frac_digits = number_of_the_environment();
        known.frac_digits = number_of_the_environment();
        known.p_cs_precedes = number_of_the_environment();
        known.p_sep_by_space = number_of_the_environment();
        known.n_cs_precedes = number_of_the_environment();
        known.n_sep_by_space = number_of_the_environment();
        known.p_sign_posn = number_of_the_environment();
        known.n_sign_posn = number_of_the_environment();
        known.int_p_cs_precedes = number_of_the_environment();
        known.int_p_sep_by_space = number_of_the_environment();
        known.int_n_cs_precedes = number_of_the_environment();
        known.int_n_sep_by_space = number_of_the_environment();
        known.int_p_sign_posn = number_of_the_environment();
        known.int_n_sign_posn = number_of_the_environment();
    }
    return &known;
}

int setenv(const char *name, const char *value, int overwrite)
{
    strlen(name);
    strlen(value);
    return hw_model_input_between(-1, 0);
}

int unsetenv(const char *name)
{
    strlen(name);
    return hw_model_input_between(-1, 0);
}

int system(const char *command)
{
    if (command != NULL)
        strlen(command);
    return hw_model_input_int();
}

int access(const char *name, int mode)
{
    strlen(name);
    return hw_model_input_between(-1, 0);
}

int unlink(const char *name)
{
    strlen(name);
    return hw_model_input_between(-1, 0);
}

int rmdir(const char *name)
{
    strlen(name);
    return hw_model_input_between(-1, 0);
}

int chdir(const char *name)
{
    strlen(name);
    return hw_model_input_between(-1, 0);
}

int mkdir(const char *name, mode_t mode)
{
    strlen(name);
    return hw_model_input_between(-1, 0);
}

int chmod(const char *name, mode_t mode)
{
    strlen(name);
    return hw_model_input_between(-1, 0);
}

int creat(const char *name, mode_t mode)
{
    strlen(name);
    return hw_model_input_int();
}

int open(const char *name, int flags, ...)
{
    strlen(name);
    return hw_model_input_int();
}

int pipe(int descriptors[2])
{
    if (hw_model_input_between(0, 1))
        return -1;
    descriptors[0] = hw_model_input_int();
    descriptors[1] = hw_model_input_int();
    return 0;
}

char *getcwd(char *buffer, size_t size)
{
    if (buffer == NULL)
        hw_model_unmodelled();
    if (buffer == NULL || size < 2 || hw_model_input_between(0, 1))
        return NULL;
    hw_model_input_set(buffer, size - 1, size - 1, "^");
    return buffer;
}

ssize_t read(int descriptor, void *base, size_t count)
{
    size_t done = 0;
    int recorded = hw_model_records() && descriptor == 0;
    if (recorded)
        hw_model_text("at most", (long)count, (long)'a');
    hw_model_use_elements(base, count, 1);
    while (done < count && hw_model_input_between(0, 1)) {
        hw_model_input_element(base, done, 1);
        done++;
    }
    if (recorded)
        hw_model_record_bytes(base, done);
    return done == 0 && hw_model_input_between(0, 1) ? -1 : (ssize_t)done;
}

ssize_t write(int descriptor, const void *base, size_t count)
{
    size_t written;
    hw_model_use_elements(base, count, 1);
    if (hw_model_input_between(0, 1))
        return -1;
    written = hw_model_input_unsigned_long();
    hw_model_assume(written <= count);
    return (ssize_t)written;
}

ssize_t pread(int descriptor, void *base, size_t count, off_t offset)
{
    size_t done = 0;
    hw_model_use_elements(base, count, 1);
    while (done < count && hw_model_input_between(0, 1)) {
        hw_model_input_element(base, done, 1);
        done++;
    }
    return done == 0 && hw_model_input_between(0, 1) ? -1 : (ssize_t)done;
}

ssize_t pwrite(int descriptor, const void *base, size_t count, off_t offset)
{
    return write(descriptor, base, count);
}

/* The bytes of a name, without an end. */
static size_t name_into(char *buffer, size_t size)
{
    size_t length = 0;
    while (length < size && hw_model_input_between(0, 1)) {
        buffer[length] = hw_model_input_char();
        length++;
    }
    return length;
}

ssize_t readlink(const char *name, char *buffer, size_t size)
{
    strlen(name);
    if (hw_model_input_between(0, 1))
        return -1;
    return (ssize_t)name_into(buffer, size);
}

/* The name has up to 255 characters. Where it is cut, it need not end. */
int gethostname(char *buffer, size_t size)
{
    size_t length = name_into(buffer, size > 255 ? 255 : size);
    if (length < size)
        buffer[length] = 0;
    return hw_model_input_between(-1, 0);
}

/* The last six characters, which are X, are replaced. */
static int replace_end(char *pattern)
{
    size_t length = strlen(pattern);
    size_t i;
    if (length < 6)
        return 0;
    for (i = length - 6; i < length; i++)
        if (pattern[i] != 'X')
            return 0;
    for (i = length - 6; i < length; i++) {
        char character = hw_model_input_char();
        hw_model_assume(character != 0);
        pattern[i] = character;
    }
    return 1;
}

int mkstemp(char *pattern)
{
    return replace_end(pattern) ? hw_model_input_between(-1, 2147483647) : -1;
}

char *mkdtemp(char *pattern)
{
    return !replace_end(pattern) || hw_model_input_between(0, 1) ? NULL : pattern;
}
