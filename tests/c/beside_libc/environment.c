/* Each function of the library, then its model with the choices that the real outcome is. */
#define BEGIN(name) do { testing = name; fed_count = fed_at = 0; } while (0)
static void feed(long long value) { fed[fed_count++] = value; }
static void same(int equal)
{
    if (fed_at != fed_count)
        refuse("choices that are left over", fed_count - fed_at);
    if (!equal) {
        printf("%s differs\n", testing);
        exit(1);
    }
}
#define SAME(name, condition) do { testing = name; int equal_ = (condition); same(equal_); } while (0)

/* The text of a line as the choices of fgets and getdelim. */
static void feed_line(const char *text, long length, int with_more)
{
    for (long i = 0; i < length; i++) {
        feed(text[i]);
        if (with_more == 1 || (with_more == 2 && i + 1 < length))
            feed(i + 1 < length);
    }
}
static const char CONTENT[] = "one\ntwo words\n\n\xff" "abcdefgh ijkl\nlast";

static void streams(const char *path)
{
    FILE *real = fopen(path, "w+");
    BEGIN("fopen"); feed(real == NULL);
    struct heapwright_file *made = model_fopen(path, "w+");
    same((real == NULL) == (made == NULL));
    BEGIN("fwrite"); size_t written = fwrite(CONTENT, 1, sizeof CONTENT - 1, real); feed((long long)written);
    same(model_fwrite(CONTENT, 1, sizeof CONTENT - 1, made) == written);
    BEGIN("fflush"); feed(fflush(real)); same(model_fflush(made) == 0);
    BEGIN("fseek"); feed(fseek(real, 0, SEEK_SET)); same(model_fseek(made, 0, SEEK_SET) == 0);
    for (int size = 1; size < 8; size++) {
        char line[8], other[8];
        memset(line, 'q', 8); memset(other, 'q', 8);
        char *got = fgets(line, size, real);
        long length = got == NULL ? 0 : (long)strlen(line);
        BEGIN("fgets");
        if (size > 1)
            feed(got == NULL);
        for (long i = 0; i < length; i++) {
            feed(line[i]);
            if (i < size - 2)
                feed(i + 1 < length);
        }
        char *model = model_fgets(other, size, made);
        same((got == NULL) == (model == NULL) && (got == NULL || strcmp(line, other) == 0));
    }
    BEGIN("rewind"); rewind(real); model_rewind(made); same(1);
    made->begun = 0;
    char *row = NULL, *other = NULL;
    size_t room = 0, other_room = 0;
    for (;;) {
        ssize_t got = getdelim(&row, &room, '\n', real);
        BEGIN("getdelim"); feed(got < 0);
        for (ssize_t i = 0; i < got; i++)
            feed(i + 1 < got);
        for (ssize_t i = 0; i < got; i++)
            feed(row[i]);
        ssize_t model = model_getdelim(&other, &other_room, '\n', made);
        same(got == model && (got < 0 || memcmp(row, other, (size_t)got + 1) == 0));
        if (got < 0)
            break;
    }
    free(row); free(other);
    BEGIN("getline"); row = other = NULL; room = other_room = 0;
    same(getline(&row, &room, real) == -1 && model_getline(&other, &other_room, made) == -1);
    free(row); free(other);
    BEGIN("feof"); same(feof(real) && model_feof(made));
    BEGIN("ferror"); feed(ferror(real)); same(model_ferror(made) == 0);
    BEGIN("clearerr"); clearerr(real); model_clearerr(made); feed(feof(real)); same(model_feof(made) == 0);
    BEGIN("fseeko"); feed(fseeko(real, 2, SEEK_SET)); same(model_fseeko(made, 2, SEEK_SET) == 0);
    BEGIN("ftell"); feed(ftell(real)); same(model_ftell(made) == 2);
    BEGIN("ftello"); feed(ftello(real)); same(model_ftello(made) == 2);
    fpos_t position;
    long kept;
    BEGIN("fgetpos"); int result = fgetpos(real, &position); feed(2); feed(result); same(model_fgetpos(made, &kept) == result);
    BEGIN("fsetpos"); result = fsetpos(real, &position); feed(result); same(model_fsetpos(made, &kept) == result);
    made->begun = 0;
    BEGIN("fgetc"); int c = fgetc(real); feed(c); same(model_fgetc(made) == c);
    BEGIN("ungetc"); result = ungetc(c, real); feed(result < 0); same(model_ungetc(c, made) == result);
    BEGIN("getc"); same(getc(real) == model_getc(made));
    BEGIN("getc_unlocked"); c = getc_unlocked(real); feed(c); same(model_getc_unlocked(made) == c);
    BEGIN("ungetc"); same(ungetc(EOF, real) == model_ungetc(EOF, made));
    for (int size = 1; size < 5; size++) {
        char bytes[16], others[16];
        size_t got = fread(bytes, (size_t)size, 3, real);
        fed_bytes = bytes;
        BEGIN("fread");
        for (size_t i = 0; i < 3; i++) {
            feed(i < got);
            if (i >= got)
                break;
        }
        if (made->ended)
            fed_count = 0;
        same(model_fread(others, (size_t)size, 3, made) == got && memcmp(bytes, others, got * (size_t)size) == 0);
    }
    BEGIN("freopen"); real = freopen(path, "a", real); feed(real == NULL); same((made = model_freopen(path, "a", made)) != NULL);
    BEGIN("fputc"); c = fputc('\xfe', real); feed(c < 0); same(model_fputc('\xfe', made) == c);
    BEGIN("putc"); c = putc(300, real); feed(c < 0); same(model_putc(300, made) == c);
    BEGIN("putc_unlocked"); c = putc_unlocked(65, real); feed(c < 0); same(model_putc_unlocked(65, made) == c);
    BEGIN("fputs"); result = fputs("text", real); feed(result); same(model_fputs("text", made) == result);
    BEGIN("setvbuf"); result = setvbuf(real, NULL, _IONBF, 0); feed(result); same(model_setvbuf(made, NULL, _IONBF, 0) == result);
    BEGIN("setbuf"); setbuf(real, NULL); model_setbuf(made, NULL); same(1);
    BEGIN("fileno"); result = fileno(real); feed(result); same(model_fileno(made) == result);
    BEGIN("fwide"); result = fwide(real, 0); feed(result); same(model_fwide(made, 0) == result);
    BEGIN("fclose"); result = fclose(real); feed(result); same(model_fclose(made) == result);
    BEGIN("fopen"); real = fopen("no/such/file", "r"); feed(real == NULL); same((model_fopen("no/such/file", "r") == NULL) == (real == NULL));
    BEGIN("tmpfile"); real = tmpfile(); feed(real == NULL); made = model_tmpfile(); same((real == NULL) == (made == NULL));
    BEGIN("fputwc"); wint_t w = fputwc(L'a', real); feed(w == WEOF); same(model_fputwc(L'a', made) == w);
    BEGIN("putwc"); w = putwc(L'b', real); feed(w == WEOF); same(model_putwc(L'b', made) == w);
    BEGIN("fputws"); result = fputws(L"c\nd", real); feed(result); same(model_fputws(L"c\nd", made) == result);
    rewind(real);
    BEGIN("fgetwc"); w = fgetwc(real); feed(w); same(model_fgetwc(made) == w);
    BEGIN("ungetwc"); w = ungetwc(w, real); feed(w == WEOF); same(model_ungetwc(L'a', made) == w);
    BEGIN("getwc"); w = getwc(real); feed(w); same(model_getwc(made) == w);
    wchar_t wide[8], other_wide[8];
    BEGIN("fgetws"); wchar_t *line = fgetws(wide, 8, real); feed(0); feed(wide[0]); feed(1); feed(wide[1]); feed(0);
    wide[2] = 0;
    same(line != NULL && model_fgetws(other_wide, 8, made) != NULL && wcsncmp(wide, other_wide, 3) == 0);
    result = fclose(real);
    BEGIN("fclose"); feed(result); same(model_fclose(made) == result);
    int descriptor = open(path, O_RDONLY);
    BEGIN("open"); feed(descriptor); same(model_open(path, O_RDONLY) == descriptor);
    real = fdopen(descriptor, "r");
    BEGIN("fdopen"); feed(real == NULL); made = model_fdopen(descriptor, "r"); same((real == NULL) == (made == NULL));
    fclose(real); free(made);
}

static void standard_streams(void)
{
    static const char text[] = "ab\nword";
    int ends[2], c, result;
    char *row = NULL;
    size_t room = 0;
    if (pipe(ends) != 0 || write(ends[1], text, sizeof text - 1) < 0 || dup2(ends[0], 0) < 0)
        exit(2);
    close(ends[1]);
    BEGIN("getchar"); c = getchar(); feed(c); same(model_getchar() == c);
    BEGIN("getchar_unlocked"); c = getchar_unlocked(); feed(c); same(model_getchar_unlocked() == c);
    BEGIN("ungetc"); c = ungetc('z', stdin); feed(c < 0); same(model_ungetc('z', model_stdin) == c);
    BEGIN("getchar"); same(getchar() == model_getchar());
    BEGIN("getline"); ssize_t got = getline(&row, &room, stdin); feed(0); feed(0); feed('\n');
    char *other = NULL;
    size_t other_room = 0;
    same(model_getline(&other, &other_room, model_stdin) == got && strcmp(row, other) == 0);
    free(row); free(other);
    for (int i = 0; i < 4; i++) {
        BEGIN("getchar"); c = getchar(); feed(c); same(model_getchar() == c);
    }
    BEGIN("getchar"); c = getchar(); feed(c); same(model_getchar() == c && c == EOF);
    BEGIN("getchar"); same(model_getchar() == getchar());
    BEGIN("getwchar"); wint_t w = getwchar(); feed(w); same(model_getwchar() == w);
    fflush(stdout);
    int shown = dup(1), nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, 1);
    BEGIN("putchar"); c = putchar('q'); feed(c < 0); same(model_putchar('q') == c);
    BEGIN("putchar_unlocked"); c = putchar_unlocked(511); feed(c < 0); same(model_putchar_unlocked(511) == c);
    BEGIN("putwchar"); w = putwchar(L'q'); feed(w == WEOF); same(model_putwchar(L'q') == w);
    BEGIN("puts"); result = puts("text"); feed(result); same(model_puts("text") == result);
    fflush(stdout);
    dup2(shown, 1);
    close(nothing);
    perror(NULL); model_perror(NULL); perror(""); model_perror("text");
}

static void files(const char *path, const char *folder)
{
    char other[4096], name[4096], bytes[8], others[8];
    int result, descriptor;
#define PATHS(function, ...) BEGIN(#function); result = function(__VA_ARGS__); feed(result); same(model_##function(__VA_ARGS__) == result)
    snprintf(other, sizeof other, "%s/x y", folder); snprintf(name, sizeof name, "%s/folder", folder);
    PATHS(access, path, R_OK); PATHS(access, "no/such", R_OK); PATHS(rename, path, other); PATHS(chmod, other, 0600);
    PATHS(mkdir, name, 0700); PATHS(chdir, name); PATHS(chdir, "no/such");
    char here[4096], there[4096];
    char *got = getcwd(here, sizeof here);
    BEGIN("getcwd"); feed(got == NULL);
    for (char *p = here; *p; p++) { feed(*p); feed(p[1] != 0); }
    char *model = model_getcwd(there, sizeof there);
    same((got == NULL) == (model == NULL) && strcmp(here, there) == 0);
    BEGIN("getcwd"); feed(getcwd(here, 2) == NULL); same(model_getcwd(there, 2) == NULL);
    PATHS(creat, "made", 0600);
    descriptor = result;
    BEGIN("write"); result = (int)write(descriptor, "abc", 3); feed(result < 0); feed(result); same(model_write(descriptor, "abc", 3) == result);
    BEGIN("write"); result = (int)write(-1, "abc", 3); feed(result < 0); same(model_write(-1, "abc", 3) == result);
    close(descriptor);
    descriptor = open("made", O_RDONLY);
    for (int i = 0; i < 3; i++) {
        BEGIN("read"); result = (int)read(descriptor, bytes, 2); fed_bytes = bytes;
        for (int k = 0; k < 2; k++) { feed(k < result); if (k >= result) break; }
        if (result == 0) feed(0);
        same(model_read(descriptor, others, 2) == result && memcmp(bytes, others, (size_t)result) == 0);
    }
    BEGIN("read"); result = (int)read(-1, bytes, 2); feed(0); feed(1); same(model_read(-1, others, 2) == result);
    close(descriptor);
    DIR *directory = opendir(folder);
    BEGIN("opendir"); feed(directory == NULL);
    DIR *made = (void *)model_opendir(folder);
    same((directory == NULL) == (made == NULL));
    for (;;) {
        struct dirent *entry = readdir(directory);
        BEGIN("readdir"); feed(entry == NULL);
        if (entry != NULL) {
            feed((long long)entry->d_ino); feed(entry->d_off); feed(entry->d_reclen); feed(entry->d_type);
            for (char *p = entry->d_name; *p; p++) { feed(*p); if (p - entry->d_name < 254) feed(p[1] != 0); }
        }
        struct dirent *model_entry = model_readdir((void *)made);
        same((entry == NULL) == (model_entry == NULL) && (entry == NULL || strcmp(entry->d_name, model_entry->d_name) == 0));
        if (entry == NULL)
            break;
    }
    BEGIN("rewinddir"); rewinddir(directory); model_rewinddir((void *)made); same(1);
    BEGIN("closedir"); result = closedir(directory); feed(result); same(model_closedir((void *)made) == result);
    descriptor = open(other, O_RDWR);
    BEGIN("pread"); result = (int)pread(descriptor, bytes, 2, 1); fed_bytes = bytes; feed(1); feed(1);
    same(model_pread(descriptor, others, 2, 1) == result && memcmp(bytes, others, 2) == 0);
    BEGIN("pwrite"); result = (int)pwrite(descriptor, "abc", 3, 1); feed(result < 0); feed(result);
    same(model_pwrite(descriptor, "abc", 3, 1) == result);
    close(descriptor);
    if (symlink("target", "link") != 0)
        exit(2);
    for (size_t room = 1; room < 9; room += 3) {
        BEGIN("readlink"); result = (int)readlink("link", bytes, room); feed(0);
        for (size_t k = 0; k < room; k++) {
            feed((int)k < result);
            if ((int)k >= result)
                break;
            feed(bytes[k]);
        }
        same(model_readlink("link", others, room) == result && memcmp(bytes, others, (size_t)result) == 0);
    }
    BEGIN("readlink"); result = (int)readlink("made", bytes, 8); feed(result < 0); same(model_readlink("made", others, 8) == result);
    unlink("link");
    BEGIN("gethostname"); result = gethostname(here, sizeof here);
    for (char *p = here; *p; p++) { feed(1); feed(*p); }
    feed(0); feed(result);
    same(model_gethostname(there, sizeof there) == result && strcmp(here, there) == 0);
    char pattern[] = "nameXXXXXX", kept_pattern[] = "nameXXXXXX";
    BEGIN("mkstemp"); result = mkstemp(pattern); for (int k = 4; k < 10; k++) feed(pattern[k]);
    feed(result); same(model_mkstemp(kept_pattern) == result && strcmp(pattern, kept_pattern) == 0);
    close(result); unlink(pattern);
    BEGIN("mkstemp"); same(mkstemp(pattern) == model_mkstemp(kept_pattern));
    strcpy(pattern, "nameXXXXXX"); strcpy(kept_pattern, pattern);
    BEGIN("mkdtemp"); got = mkdtemp(pattern); for (int k = 4; k < 10; k++) feed(pattern[k]);
    feed(got == NULL); same(model_mkdtemp(kept_pattern) == kept_pattern && strcmp(pattern, kept_pattern) == 0);
    rmdir(pattern);
    PATHS(unlink, "made"); PATHS(unlink, "made"); PATHS(chdir, folder); PATHS(rmdir, name); PATHS(remove, other); PATHS(remove, other);
    BEGIN("pipe"); int ends[2], others_[2]; result = pipe(ends); feed(result < 0); feed(ends[0]); feed(ends[1]);
    same(model_pipe(others_) == result && others_[0] == ends[0] && others_[1] == ends[1]);
    close(ends[0]); close(ends[1]);
    PATHS(setenv, "HEAPWRIGHT_TEST", "some text", 1);
    BEGIN("getenv"); got = getenv("HEAPWRIGHT_TEST"); feed(0); feed((long long)strlen(got)); same(model_getenv("HEAPWRIGHT_TEST")[strlen(got)] == 0);
    PATHS(unsetenv, "HEAPWRIGHT_TEST");
    BEGIN("getenv"); got = getenv("HEAPWRIGHT_TEST"); feed(got == NULL); same(model_getenv("HEAPWRIGHT_TEST") == got);
    BEGIN("strerror"); got = strerror(2); feed((long long)strlen(got)); same(model_strerror(2)[strlen(got)] == 0);
    BEGIN("setlocale"); got = setlocale(LC_ALL, "no such locale"); feed(got == NULL); same(model_setlocale(LC_ALL, "no such locale") == got);
    BEGIN("setlocale"); got = setlocale(LC_ALL, "C"); feed(0); feed((long long)strlen(got)); same(model_setlocale(LC_ALL, "C")[strlen(got)] == 0);
    BEGIN("localeconv"); struct lconv *locale = localeconv();
    feed((long long)strlen(locale->decimal_point)); feed((unsigned char)locale->decimal_point[0]); feed((long long)strlen(locale->thousands_sep)); feed((long long)strlen(locale->grouping)); feed((long long)strlen(locale->int_curr_symbol)); feed((long long)strlen(locale->currency_symbol));
    feed((long long)strlen(locale->mon_decimal_point)); feed((long long)strlen(locale->mon_thousands_sep)); feed((long long)strlen(locale->mon_grouping)); feed((long long)strlen(locale->positive_sign)); feed((long long)strlen(locale->negative_sign));
    feed(locale->int_frac_digits); feed(locale->frac_digits); feed(locale->p_cs_precedes); feed(locale->p_sep_by_space); feed(locale->n_cs_precedes); feed(locale->n_sep_by_space); feed(locale->p_sign_posn);
    feed(locale->n_sign_posn); feed(locale->int_p_cs_precedes); feed(locale->int_p_sep_by_space); feed(locale->int_n_cs_precedes); feed(locale->int_n_sep_by_space); feed(locale->int_p_sign_posn); feed(locale->int_n_sign_posn);
    struct lconv *told = model_localeconv();
    same(told->decimal_point[strlen(locale->decimal_point)] == 0 && told->negative_sign[0] == 0 && told->n_sign_posn == locale->n_sign_posn);
    PATHS(system, "exit 3");
    char kept[L_tmpnam];
    BEGIN("tmpnam"); got = tmpnam(here); feed(got == NULL);
    for (char *p = here; *p; p++) { feed(*p); if (p - here < L_tmpnam - 2) feed(p[1] != 0); }
    same(strcmp(model_tmpnam(kept), here) == 0);
}

static void feed_time(const struct tm *time)
{
    feed(time->tm_sec); feed(time->tm_min); feed(time->tm_hour); feed(time->tm_mday); feed(time->tm_mon);
    feed(time->tm_year); feed(time->tm_wday); feed(time->tm_yday); feed(time->tm_isdst);
}
static int equal_time(const struct tm *one, const struct tm *two)
{
    return one->tm_sec == two->tm_sec && one->tm_min == two->tm_min && one->tm_hour == two->tm_hour &&
           one->tm_mday == two->tm_mday && one->tm_mon == two->tm_mon && one->tm_year == two->tm_year &&
           one->tm_wday == two->tm_wday && one->tm_yday == two->tm_yday && one->tm_isdst == two->tm_isdst;
}

static void times(void)
{
    static const time_t MOMENTS[] = {0, 1, -1, 951782399, 951782400, 1700000000, 4102444799, -62135596800};
    char text[64], other[64];
    time_t now = time(NULL), result;
    int answer;
    BEGIN("time"); feed(now); same(model_time(&result) == now && result == now);
    for (size_t i = 0; i < sizeof MOMENTS / sizeof *MOMENTS; i++) {
        struct tm real = *gmtime(&MOMENTS[i]), made, again;
        BEGIN("gmtime"); feed(0); feed_time(&real); same(equal_time(model_gmtime(&MOMENTS[i]), &real));
        BEGIN("gmtime_r"); gmtime_r(&MOMENTS[i], &real); feed_time(&real); feed(0); same(model_gmtime_r(&MOMENTS[i], &made) == &made && equal_time(&made, &real));
        real = *localtime(&MOMENTS[i]);
        BEGIN("localtime"); feed(0); feed_time(&real); same(equal_time(model_localtime(&MOMENTS[i]), &real));
        BEGIN("localtime_r"); localtime_r(&MOMENTS[i], &real); feed_time(&real); feed(0); same(model_localtime_r(&MOMENTS[i], &made) == &made && equal_time(&made, &real));
        again = real; again.tm_mon += 14; made = again;
        result = mktime(&again);
        BEGIN("mktime"); feed_time(&again); feed(result); same(model_mktime(&made) == result && equal_time(&made, &again));
        char *shown = asctime(&real);
        if (strlen(shown) == 25) {
            BEGIN("asctime"); for (int k = 0; k < 25; k++) feed(shown[k]);
            same(strcmp(model_asctime(&real), asctime(&real)) == 0);
            char buffer[26], other_buffer[26];
            asctime_r(&real, buffer);
            BEGIN("asctime_r"); for (int k = 0; k < 25; k++) feed(buffer[k]);
            feed(0); same(strcmp(model_asctime_r(&real, other_buffer), buffer) == 0);
            ctime_r(&MOMENTS[i], buffer);
            BEGIN("ctime_r"); for (int k = 0; k < 25; k++) feed(buffer[k]);
            feed(0); same(strcmp(model_ctime_r(&MOMENTS[i], other_buffer), buffer) == 0);
            shown = ctime(&MOMENTS[i]);
            BEGIN("ctime"); for (int k = 0; k < 25; k++) feed(shown[k]);
            same(strcmp(model_ctime(&MOMENTS[i]), ctime(&MOMENTS[i])) == 0);
        }
        for (size_t room = 0; room < 40; room += 13) {
            size_t length = strftime(text, room, "%Y-%m-%d %a %%", &real);
            BEGIN("strftime");
            for (size_t k = 0; k < length; k++) { feed(1); feed(text[k]); }
            if (length + 1 < room) feed(0);
            if (room > 0) feed(length == 0);
            same(model_strftime(other, room, "%Y-%m-%d %a %%", &real) == length && (length == 0 || strcmp(text, other) == 0));
        }
    }
    struct timespec moment, copy;
    struct timeval value, value_copy;
    BEGIN("timespec_get"); answer = timespec_get(&moment, TIME_UTC); feed(moment.tv_sec); feed(moment.tv_nsec); feed(answer == 0);
    same(model_timespec_get(&copy, TIME_UTC) == answer && copy.tv_nsec == moment.tv_nsec);
    BEGIN("clock_gettime"); answer = clock_gettime(CLOCK_MONOTONIC, &moment); feed(moment.tv_sec); feed(moment.tv_nsec); feed(answer);
    same(model_clock_gettime(CLOCK_MONOTONIC, &copy) == answer && copy.tv_nsec == moment.tv_nsec);
    moment.tv_sec = 0; moment.tv_nsec = 1;
    BEGIN("nanosleep"); answer = nanosleep(&moment, NULL); feed(answer); same(model_nanosleep(&moment, NULL) == answer);
    BEGIN("gettimeofday"); answer = gettimeofday(&value, NULL); feed(value.tv_sec); feed(value.tv_usec); feed(answer);
    same(model_gettimeofday(&value_copy, NULL) == answer && value_copy.tv_usec == value.tv_usec);
    struct timezone zone, other_zone;
    BEGIN("gettimeofday"); answer = gettimeofday(&value, &zone); feed(value.tv_sec); feed(value.tv_usec);
    feed(zone.tz_minuteswest); feed(zone.tz_dsttime); feed(answer);
    same(model_gettimeofday(&value_copy, &other_zone) == answer && other_zone.tz_dsttime == zone.tz_dsttime);
}

/* `digits` are the characters of numbers, which the model leaves open, behind the number (1 to 3) of those that signs and
   prefixes add. Without a buffer only the latter are chosen. */
static void feed_format(const char *digits, int buffer)
{
    for (const char *p = digits; *p; p++)
        if (buffer || *p < 4)
            feed(*p);
}
static void format(const char *digits, const char *wanted, ...)
{
    char text[128], other[128];
    va_list one, two, three, four;
    va_start(one, wanted); va_copy(two, one); va_copy(three, one); va_copy(four, one);
    int length = vsnprintf(text, sizeof text, wanted, one);
    BEGIN("vsnprintf");
    feed_format(digits, 1);
    same(model_vsnprintf(other, sizeof other, wanted, two) == length && strcmp(text, other) == 0);
    BEGIN("vsprintf");
    feed_format(digits, 1);
    same(model_vsprintf(other, wanted, three) == length && strcmp(text, other) == 0);
    char *made;
    BEGIN("vasprintf");
    feed_format(digits, 0);
    feed_format(digits, 1);
    same(model_vasprintf(&made, wanted, four) == length && strcmp(made, text) == 0);
    free(made);
    va_end(one); va_end(two); va_end(three); va_end(four);
}

static void printed(int zero, ...)
{
    va_list list;
    static struct heapwright_file to;
#define PRINTED(function, ...) va_start(list, zero); BEGIN(#function); feed(0); same(model_##function(__VA_ARGS__) == 9); va_end(list)
    PRINTED(vprintf, "%s|%5d", list); PRINTED(vfprintf, &to, "%s|%5d", list); PRINTED(vdprintf, 1, "%s|%5d", list);
}

/* A character after another, each in as many pieces as it has bytes, or whole. */
static void pieces(const char *text, size_t size)
{
    mbstate_t real, made;
    memset(&real, 0, sizeof real); memset(&made, 0, sizeof made);
    for (const char *p = text; ; ) {
        wchar_t one = 7, two = 7;
        size_t rest = strlen(p) + 1, most = size < rest ? size : rest;
        int pending = !mbsinit(&real), plain = !pending && !(*p & 128);
        size_t width = mbrtowc(&one, p, most, &real);
        BEGIN("mbrtowc"); if (!plain) { feed((int)width); if ((int)width > 0) feed(one); }
        same(model_mbrtowc(&two, p, most, (void *)&made) == width && one == two);
        BEGIN("mbsinit"); same((int)width == -1 || !model_mbsinit((void *)&made) == !mbsinit(&real));
        if (width == 0 || width == (size_t)-1)
            break;
        p += width == (size_t)-2 ? most : width;
    }
    memset(&real, 0, sizeof real); memset(&made, 0, sizeof made);
    size_t width = mbrlen(text, size < strlen(text) + 1 ? size : strlen(text) + 1, &real);
    BEGIN("mbrlen"); if (*text & 128) feed((int)width);
    same(model_mbrlen(text, size < strlen(text) + 1 ? size : strlen(text) + 1, (void *)&made) == width);
}

static void feed_characters(const char *text, size_t count)
{
    wchar_t one;
    for (size_t k = 0; k < count && *text; k++) {
        int width = (mbtowc(NULL, NULL, 0), mbtowc(&one, text, 6));
        if (*text & 128) { feed(width); if (width > 0) feed(one); }
        if (width < 0)
            break;
        text += width;
    }
}

static void restartable(const char *text)
{
    wchar_t one[8], two[8];
    for (size_t count = 0; count < 5; count++) {
        mbstate_t real, made;
        const char *left = text, *right = text;
        memset(&real, 0, sizeof real); memset(&made, 0, sizeof made);
        wmemset(one, 7, 8); wmemset(two, 7, 8);
        size_t done = mbsrtowcs(one, &left, count, &real);
        BEGIN("mbsrtowcs"); feed_characters(text, count);
        same(model_mbsrtowcs(two, &right, count, (void *)&made) == done);
        same(done == (size_t)-1 || (left == right && wmemcmp(one, two, 8) == 0));
    }
    for (size_t size = 1; size < 5; size++)
        pieces(text, size);
}

static void restartable_wide(const wchar_t *text)
{
    char one[16], two[16];
    for (size_t count = 0; count < 8; count++) {
        mbstate_t real, made;
        const wchar_t *left = text, *right = text;
        size_t written = 0;
        memset(&real, 0, sizeof real); memset(&made, 0, sizeof made);
        memset(one, 7, 16); memset(two, 7, 16);
        size_t done = wcsrtombs(one, &left, count, &real);
        BEGIN("wcsrtombs");
        for (const wchar_t *p = text; *p; p++) {
            char bytes[16];
            int width = wctomb(bytes, *p);
            if (*p > 127) { feed(width); for (int k = 0; k < width; k++) feed(bytes[k]); }
            if (width < 0 || (written += (size_t)width) > count)
                break;
        }
        same(model_wcsrtombs(two, &right, count, (void *)&made) == done && left == right);
        same(done == (size_t)-1 || memcmp(one, two, 16) == 0);
    }
    for (; *text; text++) {
        mbstate_t real, made;
        memset(&real, 0, sizeof real); memset(&made, 0, sizeof made);
        size_t width = wcrtomb(one, *text, &real);
        BEGIN("wcrtomb"); if (*text > 127) { feed((int)width); for (int k = 0; k < (int)width; k++) feed(one[k]); }
        same(model_wcrtomb(two, *text, (void *)&made) == width && ((int)width < 0 || memcmp(one, two, width) == 0));
    }
}

static void parts_of_reals(void)
{
    static const double REALS[] = {0, 8, -0.3, 1e-310, 1e300};
    for (int i = 0; i < 5; i++) {
        int one, two, three;
        double part = frexp(REALS[i], &one);
        BEGIN("frexp"); feed(one); feed((long long)part); model_frexp(REALS[i], &two); same(one == two);
        frexpf((float)REALS[i], &three);
        BEGIN("frexpf"); feed(i == 4 ? 0 : three); feed(0); model_frexpf((float)REALS[i], &two); same(i == 4 || three == two);
        remquo(REALS[i], 3, &one);
        BEGIN("remquo"); feed(one); feed(0); model_remquo(REALS[i], 3, &two); same(one == two);
    }
    BEGIN("nan"); feed(0); model_nan("7"); same(isnan(nan("7")));
}

/* In UTF-8 if the machine has it. */
static void characters(void)
{
    static const char *TEXTS[] = {"", "a", "abc", "\xc3\xa9t", "\xe2\x98\x83", "\xe2\x98", "\xff", "x\xc3\xa9"};
    static const wchar_t *WIDE[] = {L"", L"ab", L"\x2603", L"a\xe9z"};
    if (setlocale(LC_ALL, "C.UTF-8") == NULL)
        setlocale(LC_ALL, "en_US.UTF-8");
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        const char *text = TEXTS[i];
        wchar_t one[8] = {7}, two[8] = {7};
        restartable(text);
        for (size_t size = 0; size <= strlen(text) + 1; size++) {
            int width = (mblen(NULL, 0), mblen(text, size)), beyond = size > 0 && (text[0] & 128);
            BEGIN("mblen"); if (beyond || size == 0) feed(width);
            same(model_mblen(text, size) == width);
            one[0] = two[0] = 7;
            width = (mbtowc(NULL, NULL, 0), mbtowc(one, text, size));
            BEGIN("mbtowc"); if (size == 0) { feed(width); if (width >= 0) feed(one[0] != 7); } if (beyond) { feed(width); if (width > 0) feed(one[0]); }
            same(model_mbtowc(two, text, size) == width && (width < 0 || one[0] == two[0]));
        }
        for (size_t count = 0; count < 5; count++) {
            wmemset(one, 7, 8); wmemset(two, 7, 8);
            size_t done = mbstowcs(one, text, count);
            BEGIN("mbstowcs");
            const char *p = text;
            for (size_t k = 0; k < count && *p; k++) {
                int width = (mblen(NULL, 0), mblen(p, 6));
                if (*p & 128) { feed(width); if (width > 0) feed(one[k]); }
                if (width < 0)
                    break;
                p += width;
            }
            same(model_mbstowcs(two, text, count) == done && (done == (size_t)-1 || wmemcmp(one, two, 8) == 0));
        }
    }
    for (size_t i = 0; i < sizeof WIDE / sizeof *WIDE; i++) {
        char one[16], two[16];
        restartable_wide(WIDE[i]);
        for (size_t count = 0; count < 8; count++) {
            memset(one, 7, 16); memset(two, 7, 16);
            size_t done = wcstombs(one, WIDE[i], count), written = 0;
            BEGIN("wcstombs");
            for (const wchar_t *p = WIDE[i]; *p; p++) {
                char bytes[16];
                int width = wctomb(bytes, *p);
                if (*p > 127) { feed(width); for (int k = 0; k < width; k++) feed(bytes[k]); }
                if (width < 0 || (written += (size_t)width) > count)
                    break;
            }
            same(model_wcstombs(two, WIDE[i], count) == done && (done == (size_t)-1 || memcmp(one, two, 16) == 0));
        }
        for (const wchar_t *p = WIDE[i]; *p; p++) {
            int width = wctomb(one, *p);
            BEGIN("wctomb"); if (*p > 127) { feed(width); for (int k = 0; k < width; k++) feed(one[k]); }
            same(model_wctomb(two, *p) == width && (width < 0 || memcmp(one, two, (size_t)width) == 0));
        }
    }
    setlocale(LC_ALL, "C");
}

static void numbers_of_text(void)
{
    static const char *TEXTS[] = {"1", "-2x", "  +3", "40 ", "x", "", "-", "7e1z", "5e", "1e+", ".", "-.e"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        char *end, *other;
        double real = strtod(TEXTS[i], &end);
        BEGIN("strtod"); feed((long long)real); model_strtod(TEXTS[i], &other); fed_at = fed_count; same(end == other);
        strtof(TEXTS[i], &end); BEGIN("strtof"); feed((long long)real); model_strtof(TEXTS[i], &other); fed_at = fed_count; same(end == other);
        strtold(TEXTS[i], &end); BEGIN("strtold"); feed((long long)real); model_strtold(TEXTS[i], &other); fed_at = fed_count; same(end == other);
        BEGIN("atof"); feed((long long)real); double made = model_atof(TEXTS[i]); fed_at = fed_count; same(made == atof(TEXTS[i]) || made == 0);
    }
    lldiv_t a = lldiv(-47, 5), b = model_lldiv(-47, 5); SAME("lldiv", a.quot == b.quot && a.rem == b.rem);
    imaxdiv_t c = imaxdiv(47, -5), d = model_imaxdiv(47, -5); SAME("imaxdiv", c.quot == d.quot && c.rem == d.rem);
    unsigned seed = 5, other = 5, before = seed;
    int drawn = rand_r(&seed);
    BEGIN("rand_r"); feed((int)(seed - before * 1103515245u)); feed(drawn); same(model_rand_r(&other) == drawn && other == seed);
}

int main(int count, char **words)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/file", words[1]);
    setenv("TZ", "UTC", 1);
    streams(path);
    standard_streams();
    times();
    format("", "plain %% %s|%.2s|%5s|%-5s|%c|%3c|%-3c.", "text", "text", "ab", "ab", 'x', 'y', 'z');
    format("42-7  42", "%d|%d|%4d", 42, -7, 42);
    format("ff177007", "%x|%o|%.3d", 255, 127, 7);
    format("\1+5\2" "0xff\1 3", "%+d|%#x|% d", 5, 255, 3);
    format("-12345678901231844674407370955161565535200-1", "%ld|%lu|%hu|%hhu|%hhd", -1234567890123L, -1L, -1, 200, 255);
    format("", "%*s|%.*s|%-*s.", 4, "a", 1, "bc", 3, "d");
    int stored = 0;
    format("", "abc%n", &stored);
    SAME("%n", stored == 3);
    printed(0, "abc", 7);
    numbers_of_text();
    parts_of_reals();
    characters();
    files(path, words[1]);
    puts("same");
    return 0;
}
