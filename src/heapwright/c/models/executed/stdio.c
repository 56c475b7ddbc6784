/* Streams and files of a program that is executed. `open` is the descriptor by which the console knows the stream. */
#include "intrinsics.h"
#include <stdlib.h>

static struct heapwright_file standard_input = {0, 0, 0, 0};
static struct heapwright_file standard_output = {1, 0, 0, 0};
static struct heapwright_file standard_error = {2, 0, 0, 0};
FILE *stdin = &standard_input;
FILE *stdout = &standard_output;
FILE *stderr = &standard_error;

void hw_model_use_stream(FILE *stream)
{
    int open = stream->open;
    (void)open;
}

static void name(const char *text)
{
    size_t i;
    for (i = 0; text[i] != 0; i++)
        hw_model_console("character", text[i]);
    hw_model_console("character", 0);
}

static FILE *stream_of(int descriptor)
{
    FILE *stream;
    if (descriptor < 0)
        return NULL;
    stream = hw_model_environment(sizeof(struct heapwright_file));
    stream->open = descriptor;
    return stream;
}

FILE *fopen(const char *file, const char *mode)
{
    name(file);
    name(mode);
    return stream_of((int)hw_model_console("open"));
}

FILE *fdopen(int descriptor, const char *mode)
{
    strlen(mode);
    return stream_of(descriptor);
}

FILE *tmpfile(void)
{
    name("temporary file");
    name("w+");
    return stream_of((int)hw_model_console("open"));
}

FILE *freopen(const char *file, const char *mode, FILE *stream)
{
    int descriptor;
    hw_model_use_stream(stream);
    if (file == NULL)
        return stream;
    name(file);
    name(mode);
    descriptor = (int)hw_model_console("open");
    if (descriptor < 0) {
        hw_model_end(stream);
        return NULL;
    }
    stream->open = descriptor;
    return stream;
}

int fclose(FILE *stream)
{
    hw_model_use_stream(stream);
    hw_model_console("close", stream->open);
    hw_model_end(stream);
    return 0;
}

int fflush(FILE *stream)
{
    if (stream != NULL)
        hw_model_use_stream(stream);
    return 0;
}

int fileno(FILE *stream)
{
    return stream->open;
}

int feof(FILE *stream)
{
    return (int)hw_model_console("eof", stream->open);
}

int ferror(FILE *stream)
{
    hw_model_use_stream(stream);
    return 0;
}

void clearerr(FILE *stream)
{
    hw_model_console("clear", stream->open);
}

int fseek(FILE *stream, long offset, int whence)
{
    return (int)hw_model_console("seek", stream->open, offset, whence);
}

long ftell(FILE *stream)
{
    return (long)hw_model_console("tell", stream->open);
}

void rewind(FILE *stream)
{
    hw_model_console("seek", stream->open, 0, 0);
}

int fgetc(FILE *stream)
{
    return (int)hw_model_console("read", stream->open);
}

int getc(FILE *stream)
{
    return (int)hw_model_console("read", stream->open);
}

int getchar(void)
{
    return (int)hw_model_console("read", 0);
}

int ungetc(int character, FILE *stream)
{
    return (int)hw_model_console("unread", stream->open, character);
}

char *fgets(char *buffer, int size, FILE *stream)
{
    int i = 0;
    int descriptor = stream->open;
    if (size <= 0)
        return NULL;
    while (i < size - 1) {
        int character = (int)hw_model_console("read", descriptor);
        if (character < 0) {
            if (i == 0)
                return NULL;
            break;
        }
        buffer[i] = (char)character;
        i++;
        if (character == '\n')
            break;
    }
    buffer[i] = 0;
    return buffer;
}

ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    size_t length = 0;
    int descriptor = stream->open;
    char *text = *line;
    size_t room = text == NULL ? 0 : *size;
    for (;;) {
        int character = (int)hw_model_console("read", descriptor);
        if (character < 0 && length == 0)
            return -1;
        if (length + 2 > room) {
            char *wider = realloc(text, (length + 2) * sizeof(char) + 118);
            if (wider == NULL)
                return -1;
            text = wider;
            room = length + 120;
            *line = text;
            *size = room;
        }
        if (character < 0)
            break;
        text[length] = (char)character;
        length++;
        if (character == delimiter)
            break;
    }
    text[length] = 0;
    return (ssize_t)length;
}

ssize_t getline(char **line, size_t *size, FILE *stream)
{
    return getdelim(line, size, '\n', stream);
}

size_t fread(void *base, size_t size, size_t count, FILE *stream)
{
    unsigned char *bytes = base;
    size_t done = 0;
    int descriptor = stream->open;
    if (size == 0)
        return 0;
    while (done < size * count) {
        int character = (int)hw_model_console("read", descriptor);
        if (character < 0)
            break;
        bytes[done] = (unsigned char)character;
        done++;
    }
    return done / size;
}

size_t fwrite(const void *base, size_t size, size_t count, FILE *stream)
{
    const unsigned char *bytes = base;
    size_t done;
    int descriptor = stream->open;
    for (done = 0; done < size * count; done++)
        if (hw_model_console("write", descriptor, bytes[done]) < 0)
            break;
    return size == 0 ? 0 : done / size;
}

ssize_t read(int descriptor, void *base, size_t count)
{
    unsigned char *bytes = base;
    size_t done = 0;
    while (done < count) {
        int character = (int)hw_model_console("read", descriptor);
        if (character < 0)
            break;
        bytes[done] = (unsigned char)character;
        done++;
    }
    return (ssize_t)done;
}

ssize_t write(int descriptor, const void *base, size_t count)
{
    const unsigned char *bytes = base;
    size_t done;
    for (done = 0; done < count; done++)
        if (hw_model_console("write", descriptor, bytes[done]) < 0)
            return -1;
    return (ssize_t)count;
}

int putchar(int character)
{
    hw_model_console("write", 1, character);
    return (unsigned char)character;
}

int fputc(int character, FILE *stream)
{
    return hw_model_console("write", stream->open, character) < 0 ? -1 : (int)(unsigned char)character;
}

int putc(int character, FILE *stream)
{
    return hw_model_console("write", stream->open, character) < 0 ? -1 : (int)(unsigned char)character;
}

static int put_text(const char *text, int descriptor)
{
    size_t i;
    for (i = 0; text[i] != 0; i++)
        if (hw_model_console("write", descriptor, text[i]) < 0)
            return -1;
    return 1;
}

int puts(const char *text)
{
    put_text(text, 1);
    hw_model_print(1, "\n");
    return 1;
}

int fputs(const char *text, FILE *stream)
{
    return put_text(text, stream->open);
}

int remove(const char *file)
{
    name(file);
    return (int)hw_model_console("remove");
}

void perror(const char *text)
{
    if (text != NULL && text[0] != 0) {
        put_text(text, 2);
        hw_model_print(2, ": ");
    }
    hw_model_print(2, "an error\n");
}

char *getenv(const char *variable)
{
    int length;
    int i;
    char *found;
    name(variable);
    length = (int)hw_model_console("getenv");
    if (length < 0)
        return NULL;
    found = hw_model_environment(((size_t)length + 1) * sizeof(char));
    for (i = 0; i < length; i++)
        found[i] = (char)hw_model_console("next");
    found[length] = 0;
    return found;
}

int fgetpos(FILE *stream, fpos_t *position)
{
    *position = (fpos_t)hw_model_console("tell", stream->open);
    return *position < 0 ? -1 : 0;
}

int fsetpos(FILE *stream, const fpos_t *position)
{
    return (int)hw_model_console("seek", stream->open, *position, 0);
}

/* What a stream keeps in a buffer is not seen. */
void setbuf(FILE *stream, char *buffer)
{
    hw_model_use_stream(stream);
    (void)buffer;
}

int setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    hw_model_use_stream(stream);
    (void)buffer;
    return 0;
}

int rename(const char *from, const char *to)
{
    strlen(from);
    strlen(to);
    return -1;
}

char *tmpnam(char *target)
{
    static char kept[L_tmpnam];
    return strcpy(target == NULL ? kept : target, "/tmp/heapwright");
}
