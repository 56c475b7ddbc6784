/* What models are written with. Lowering gives these functions their meaning (c/lower/calls/model_intrinsics.py). */
#ifndef HEAPWRIGHT_INTRINSICS_H
#define HEAPWRIGHT_INTRINSICS_H
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct heapwright_file {
    int open;
    int ended;  /* whether its end was met, unless it is the standard input */
    int pushed; /* 1 + the character that was pushed back, 0 if there is none */
    int begun;  /* 1 when something was read, 2 when it may be read again */
};

/* Inputs: any value, chosen by the environment. */
int hw_model_input_int(void);
long hw_model_input_long(void);
char hw_model_input_char(void);
signed char hw_model_input_signed_char(void);
short hw_model_input_short(void);
long long hw_model_input_long_long(void);
unsigned char hw_model_input_unsigned_char(void);
unsigned short hw_model_input_unsigned_short(void);
unsigned int hw_model_input_unsigned_int(void);
unsigned long hw_model_input_unsigned_long(void);
unsigned long long hw_model_input_unsigned_long_long(void);
float hw_model_input_float(void);
double hw_model_input_double(void);
long double hw_model_input_long_double(void);
int hw_model_input_between(int low, int high);

/* Approximations: any value, where the real one is not computed. */
int hw_model_approximate_int(void);
long hw_model_approximate_long(void);
char hw_model_approximate_char(void);
signed char hw_model_approximate_signed_char(void);
short hw_model_approximate_short(void);
long long hw_model_approximate_long_long(void);
unsigned char hw_model_approximate_unsigned_char(void);
unsigned short hw_model_approximate_unsigned_short(void);
unsigned int hw_model_approximate_unsigned_int(void);
unsigned long hw_model_approximate_unsigned_long(void);
unsigned long long hw_model_approximate_unsigned_long_long(void);
float hw_model_approximate_float(void);
double hw_model_approximate_double(void);
long double hw_model_approximate_long_double(void);
int hw_model_approximate_between(int low, int high);

/* 0 is what an exact run may have, 1 an approximation. */
int hw_model_either(void);

/* 1 where the caller compares the result of the function with 0 and does nothing else with it, for equality or also for
   its sign; then it need not be any of the values that the standard allows. */
int hw_model_truth_is_tested(void);
int hw_model_sign_is_tested(void);
#define SIGN(value) (hw_model_sign_is_tested() ? (value) : hw_model_any_of_sign(value))
#define TRUTH(value) (hw_model_truth_is_tested() ? (value) : hw_model_any_of_truth(value))

/* models/results.c */
int hw_model_any_of_sign(int value);
int hw_model_any_of_truth(int value);

/* A constant: whether the program, without models, refers to one of these functions. */
int hw_model_calls(const char *names);
#define PUSHES hw_model_calls("ungetc")
#define SEEKS hw_model_calls("fseek fseeko rewind fsetpos")

/* A constant: whether the text of the input is recorded. If so, its pieces: characters ("%c"), numbers by a conversion
   specification, and what program/runs/input_text.py lists. */
int hw_model_records(void);
void hw_model_text(const char *specification, ...);

/* Runs in which this does not hold are none. */
void hw_model_assume(int condition);

/* Memory may have changed in a way that is not modelled. */
void hw_model_unmodelled(void);

/* A character of the text of a number by a conversion specification, and the length of the text, which is at most `most`;
   any where the number is not known. A floating-point number is a double. */
int hw_model_number_character(const char *specification, ...);
int hw_model_number_length(const char *specification, ...);

/* A new object of the environment: it cannot be freed, and is never a leak. */
void *hw_model_environment(size_t size);

/* The lifetime of an object of the environment ends: a stream is closed. */
void hw_model_end(void *object);

/* Check that so many characters can be written; then write one without a check. */
void hw_model_reserve(char *target, size_t count);
void hw_model_store(char *target, size_t index, char value);

/* Elements of an array whose type only the caller knows. */
void *hw_model_element(const void *base, size_t index, size_t size);
void hw_model_use_elements(const void *base, size_t count, size_t size);
void hw_model_input_element(void *base, size_t index, size_t size);
void hw_model_swap(void *left, void *right, size_t size);

/* Of a program that is executed: a request to its console and the answer; text or a number that is printed. */
long long hw_model_console(const char *request, ...);
double hw_model_console_double(const char *request, ...);
int hw_model_print(int descriptor, const char *text, ...);

/* models/executed/print.c */
size_t hw_model_print_string(int descriptor, const char *text, size_t most, int width, int left);
size_t hw_model_print_padded(int descriptor, int character, int width, int left);
size_t hw_model_print_wide_string(int descriptor, const wchar_t *text, size_t most);
size_t hw_model_print_wide_character(int descriptor, int character);
size_t hw_model_print_pointer(int descriptor, const void *pointer);

/* models/scan.c: where text is read from, a stream or a string, and the last number. */
struct hw_model_reader {
    int descriptor;
    const char *text;
    size_t read;
    int ended;
    long long integer;
    double real;
};
int hw_model_get(struct hw_model_reader *reader);
void hw_model_unget(struct hw_model_reader *reader, int character);
int hw_model_first(struct hw_model_reader *reader);
void hw_model_scan_space(struct hw_model_reader *reader);
int hw_model_scan_match(struct hw_model_reader *reader, int character);
int hw_model_scan_integer(struct hw_model_reader *reader, int width, int base);
int hw_model_scan_real(struct hw_model_reader *reader, int width);
int hw_model_scan_characters(struct hw_model_reader *reader, char *target, int width);
int hw_model_scan_word(struct hw_model_reader *reader, char *target, int width);
int hw_model_scan_set(struct hw_model_reader *reader, char *target, int width, const char *set);

/* models/format.c */
int hw_model_between(int low, int high);
size_t hw_model_limit(int precision);
size_t hw_model_least(int precision);
size_t hw_model_wider(size_t length, int width);
size_t hw_model_read_string(const char *text, size_t most);
void hw_model_read_format(const char *format);
size_t hw_model_signed_length(long long value, int base, size_t least);
size_t hw_model_unsigned_length(unsigned long long value, int base, size_t least);
size_t hw_model_put_any(char *buffer, size_t limit, size_t n, size_t length);
size_t hw_model_put_character(char *buffer, size_t limit, size_t n, char character, int width, int left);
size_t hw_model_put_string(char *buffer, size_t limit, size_t n, const char *text, size_t most, int width, int left);
int hw_model_is_in_set(const char *set, int character);
void hw_model_input_set(char *target, size_t width, size_t longest, const char *set);
void hw_model_input_string(char *target, size_t width, size_t longest);
void hw_model_approximate_string(char *target, size_t width, size_t longest);
void hw_model_input_characters(char *target, size_t width);
void hw_model_approximate_characters(char *target, size_t width);

void hw_model_record_string(const char *text);
void hw_model_record_bytes(const void *base, size_t count);

/* models/wide.c */
void hw_model_read_wide(const wchar_t *text, size_t most);

/* models/stdio.c */
void hw_model_use_stream(FILE *stream);
int hw_model_has_ended(FILE *stream);
void hw_model_meet_end(FILE *stream);
void hw_model_begin_reading(FILE *stream);

/* models/input_end.c: the same of the standard input */
int hw_model_input_has_ended(void);
int hw_model_push_input(int character);
int hw_model_take_pushed_input(void);
void hw_model_begin_reading_input(void);
void hw_model_approximation(void);
void hw_model_meet_input_end(void);
void hw_model_clear_input_end(void);

/* models/exit.c */
void hw_model_run_handlers(void);
#endif
