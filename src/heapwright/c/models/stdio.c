/* Streams and files. A stream is an object of the environment, which ends when it is closed. What it reads is one
   sequence of characters, which ends once (input_end.c). */
#include "intrinsics.h"
#include <stdlib.h>

static struct heapwright_file standard_input;
static struct heapwright_file standard_output;
static struct heapwright_file standard_error;
FILE *stdin = &standard_input;
FILE *stdout = &standard_output;
FILE *stderr = &standard_error;

void hw_model_use_stream(FILE *stream)
{
    int open = stream->open;
    (void)open;
}

int hw_model_has_ended(FILE *stream)
{
    hw_model_use_stream(stream);
    return stream == &standard_input ? hw_model_input_has_ended() : stream->ended;
}

void hw_model_meet_end(FILE *stream)
{
    if (stream == &standard_input)
        hw_model_meet_input_end();
    else if (!hw_model_either())
        stream->ended = 1;
}

/* The position is set, or the end forgotten. */
static void clear_end(FILE *stream)
{
    hw_model_use_stream(stream);
    if (stream == &standard_input) {
        hw_model_clear_input_end();
        return;
    }
    stream->ended = 0;
    if (PUSHES)
        stream->pushed = 0;
    if (SEEKS && stream->begun)
        stream->begun = 2;
}

/* Text is read whose first character is none that was pushed back, and that was not read before; else the run is
   approximate. */
void hw_model_begin_reading(FILE *stream)
{
    if (!PUSHES && !SEEKS)
        return;
    if (stream == &standard_input) {
        hw_model_begin_reading_input();
        return;
    }
    if (PUSHES && stream->pushed)
        hw_model_approximation();
    if (PUSHES)
        stream->pushed = 0;
    if (SEEKS && stream->begun == 2)
        hw_model_approximation();
    if (SEEKS)
        stream->begun = 1;
}

static int take_pushed(FILE *stream)
{
    int character;
    if (stream == &standard_input)
        return hw_model_take_pushed_input();
    character = stream->pushed - 1;
    stream->pushed = 0;
    return character;
}

static int is_recorded(FILE *stream)
{
    return stream == &standard_input;
}
#define RECORDED(stream) (hw_model_records() && is_recorded(stream))

static FILE *opened(void)
{
    FILE *stream;
    if (hw_model_input_between(0, 1))
        return NULL;
    stream = hw_model_environment(sizeof(struct heapwright_file));
    stream->ended = 0;
    if (PUSHES)
        stream->pushed = 0;
    if (SEEKS)
        stream->begun = 0;
    return stream;
}

FILE *fopen(const char *name, const char *mode)
{
    strlen(name);
    strlen(mode);
    return opened();
}

FILE *fdopen(int descriptor, const char *mode)
{
    strlen(mode);
    return opened();
}

FILE *tmpfile(void)
{
    return opened();
}

FILE *freopen(const char *name, const char *mode, FILE *stream)
{
    if (name != NULL)
        strlen(name);
    strlen(mode);
    hw_model_use_stream(stream);
    if (hw_model_input_between(0, 1)) {
        hw_model_end(stream);
        return NULL;
    }
    clear_end(stream);
    return stream;
}

int fclose(FILE *stream)
{
    if (stream == NULL)
        hw_model_use_stream(stream);
    hw_model_end(stream);
    return hw_model_input_between(-1, 0);
}

int fflush(FILE *stream)
{
    if (stream != NULL)
        hw_model_use_stream(stream);
    return hw_model_input_between(-1, 0);
}

int fileno(FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_int();
}

int feof(FILE *stream)
{
    return hw_model_has_ended(stream) ? TRUTH(1) : hw_model_input_int();
}

int ferror(FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_int();
}

void clearerr(FILE *stream)
{
    clear_end(stream);
}

int fseek(FILE *stream, long offset, int whence)
{
    clear_end(stream);
    return hw_model_input_between(-1, 0);
}

long ftell(FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_long();
}

void rewind(FILE *stream)
{
    clear_end(stream);
}

int fgetpos(FILE *stream, fpos_t *position)
{
    hw_model_use_stream(stream);
    *position = hw_model_input_long();
    return hw_model_input_int();
}

int fsetpos(FILE *stream, const fpos_t *position)
{
    fpos_t wanted = *position;
    (void)wanted;
    clear_end(stream);
    return hw_model_input_int();
}

int fgetc(FILE *stream)
{
    int character;
    int ended = hw_model_has_ended(stream);
    if (PUSHES) {
        character = take_pushed(stream);
        if (character >= 0)
            return character;
    }
    if (ended)
        return -1;
    hw_model_begin_reading(stream);
    character = hw_model_input_between(-1, 255);
    if (RECORDED(stream))
        hw_model_text("%c", character);
    if (character < 0)
        hw_model_meet_end(stream);
    return character;
}

int getc(FILE *stream)
{
    return fgetc(stream);
}

int ungetc(int character, FILE *stream)
{
    hw_model_use_stream(stream);
    if (character == -1 || hw_model_input_between(0, 1))
        return -1;
    character = (int)(unsigned char)character;
    if (stream == &standard_input)
        return hw_model_push_input(character);
    if (stream->pushed)
        hw_model_approximation();
    stream->pushed = character + 1;
    stream->ended = 0;
    return character;
}

/* A line: no character before the last one is a newline, and the last one is another only at the end of the input or of
   the buffer. */
char *fgets(char *buffer, int size, FILE *stream)
{
    int i = 0;
    int ended = hw_model_has_ended(stream);
    if (size <= 0)
        return NULL;
    hw_model_begin_reading(stream);
    if (size > 1 && (ended || hw_model_input_between(0, 1))) {
        if (!ended)
            hw_model_meet_end(stream);
        if (RECORDED(stream))
            hw_model_text("end");
        return NULL;
    }
    if (RECORDED(stream))
        hw_model_text("at most", (long)size - 1, (long)'a');
    hw_model_reserve(buffer, (size_t)size);
    while (i < size - 1) {
        char character = hw_model_input_char();
        int last = i == size - 2 || !hw_model_input_between(0, 1);
        if (!last)
            hw_model_assume(character != '\n');
        if (RECORDED(stream))
            hw_model_text("%c", (int)character);
        hw_model_store(buffer, (size_t)i, character);
        i++;
        if (last)
            break;
    }
    hw_model_store(buffer, (size_t)i, 0);
    return buffer;
}

ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    size_t length = 1;
    size_t room = *size;
    size_t i;
    char *text = *line;
    int ended = hw_model_has_ended(stream);
    hw_model_begin_reading(stream);
    if (text == NULL)
        room = 0;
    if (ended || hw_model_input_between(0, 1)) {
        if (!ended)
            hw_model_meet_end(stream);
        if (text == NULL) {
            text = malloc(120 * sizeof(char));
            *line = text;
            if (text != NULL)
                *size = 120;
        }
        if (RECORDED(stream))
            hw_model_text("end");
        return -1;
    }
    while (hw_model_input_between(0, 1))
        length++;
    if (room < length + 1) {
        char *wider = realloc(text, (length + 1) * sizeof(char));
        if (wider == NULL)
            return -1;
        text = wider;
        *line = text;
        *size = length + 1;
    }
    for (i = 0; i < length; i++) {
        char character = hw_model_input_char();
        if (i < length - 1)
            hw_model_assume(character != (char)delimiter);
        if (RECORDED(stream))
            hw_model_text("%c", (int)character);
        text[i] = character;
    }
    text[length] = 0;
    return (ssize_t)length;
}

ssize_t getline(char **line, size_t *size, FILE *stream)
{
    return getdelim(line, size, '\n', stream);
}

int getc_unlocked(FILE *stream)
{
    return fgetc(stream);
}

int putc_unlocked(int character, FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_between(0, 1) ? -1 : (int)(unsigned char)character;
}

int putchar_unlocked(int character)
{
    return hw_model_input_between(0, 1) ? -1 : (int)(unsigned char)character;
}

int fseeko(FILE *stream, long offset, int whence)
{
    clear_end(stream);
    return hw_model_input_between(-1, 0);
}

long ftello(FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_long();
}

size_t fread(void *base, size_t size, size_t count, FILE *stream)
{
    size_t done = 0;
    int ended = hw_model_has_ended(stream);
    if (RECORDED(stream))
        hw_model_text("at most", (long)(count * size), (long)'a');
    hw_model_use_elements(base, count, size);
    hw_model_begin_reading(stream);
    if (ended)
        return 0;
    while (size > 0 && done < count && hw_model_input_between(0, 1)) {
        hw_model_input_element(base, done, size);
        done++;
    }
    if (RECORDED(stream))
        hw_model_record_bytes(base, done * size);
    if (size > 0 && done < count)
        hw_model_meet_end(stream);
    return done;
}

size_t fwrite(const void *base, size_t size, size_t count, FILE *stream)
{
    size_t written;
    hw_model_use_stream(stream);
    hw_model_use_elements(base, count, size);
    if (size == 0 || count == 0)
        return 0;
    written = hw_model_input_unsigned_long();
    hw_model_assume(written <= count);
    return written;
}

int putchar(int character)
{
    return hw_model_input_between(0, 1) ? -1 : (int)(unsigned char)character;
}

int fputc(int character, FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_between(0, 1) ? -1 : (int)(unsigned char)character;
}

int putc(int character, FILE *stream)
{
    hw_model_use_stream(stream);
    return hw_model_input_between(0, 1) ? -1 : (int)(unsigned char)character;
}

int puts(const char *text)
{
    strlen(text);
    return hw_model_input_between(-1, 2147483647);
}

int fputs(const char *text, FILE *stream)
{
    strlen(text);
    hw_model_use_stream(stream);
    return hw_model_input_between(-1, 2147483647);
}

void setbuf(FILE *stream, char *buffer)
{
    hw_model_use_stream(stream);
    if (buffer != NULL)
        hw_model_unmodelled();
}

int setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    hw_model_use_stream(stream);
    if (buffer != NULL)
        hw_model_unmodelled();
    return hw_model_input_int();
}

int remove(const char *name)
{
    strlen(name);
    return hw_model_input_between(-1, 0);
}

int rename(const char *from, const char *to)
{
    strlen(from);
    strlen(to);
    return hw_model_input_between(-1, 0);
}

void perror(const char *text)
{
    if (text != NULL)
        strlen(text);
}

char *tmpnam(char *name)
{
    static char kept[L_tmpnam];
    char *target = name == NULL ? kept : name;
    if (hw_model_input_between(0, 1))
        return NULL;
    hw_model_input_string(target, L_tmpnam - 1, L_tmpnam - 1);
    return target;
}
