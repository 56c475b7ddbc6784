"""Models in C beside the functions that they stand for: both compiled by gcc with sanitizers, on the same arguments.

All models become one C file in which their names begin with `model_`. Intrinsics have twins: where only sign or truth
of a result are determined, the model returns what it computes, and these are compared. Strings lie in blocks of exactly
their size, so that a model that reads or writes too much is caught.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import heapwright

MODELS = Path(heapwright.__file__).parent / "c" / "models"
FILES = (
    *("string", "text", "memory", "ctype", "wctype", "stdlib", "numbers", "wide_numbers", "sort", "wide", "getopt"),
    "floats",
)
TEMPLATES = {path.name: path.read_text(encoding="utf-8") for path in MODELS.glob("any_*.h")}

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")

START = r"""
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#define SIGN(value) (value)
#define TRUTH(value) (value)
static int hw_model_either(void) { return 0; }
static void hw_model_unmodelled(void) { fprintf(stderr, "unmodelled\n"); abort(); }
static int hw_model_input_between(int low, int high) { (void)high; return low; }
static unsigned hw_model_input_unsigned_int(void) { return 0; }
static int hw_model_input_int(void) { return 0; }
static int hw_model_approximate_int(void) { return 0; }
static int hw_model_approximate_between(int low, int high) { (void)high; return low; }
static double hw_model_approximate_double(void) { return 0; }
static void hw_model_assume(int condition) { if (!condition) abort(); }
static void hw_model_use_stream(FILE *stream) { (void)stream; }
static void *hw_model_element(const void *base, size_t index, size_t size) { return (char *)base + index * size; }
static void hw_model_swap(void *left, void *right, size_t size)
{
    char kept[64];
    memcpy(kept, left, size);
    memcpy(left, right, size);
    memcpy(right, kept, size);
}
"""

END = r"""
static unsigned long state = 1;
static unsigned draw(unsigned bound)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (state >> 33) % bound;
}
static const char LETTERS[] = "aab-+ 019xXfF,\tzA\200\377";

static char *text(unsigned longest)
{
    unsigned length = draw(longest + 1), i;
    char *made = malloc(length + 1);
    for (i = 0; i < length; i++)
        made[i] = LETTERS[draw(sizeof LETTERS - 1)];
    made[length] = 0;
    return made;
}

static wchar_t *wide(unsigned longest)
{
    unsigned length = draw(longest + 1), i;
    wchar_t *made = malloc((length + 1) * sizeof *made);
    for (i = 0; i < length; i++)
        made[i] = L"aab,\x2603-"[draw(6)];
    made[length] = 0;
    return made;
}

static int sign(int value) { return value < 0 ? -1 : value > 0; }

static void same(int equal, const char *name, const char *left, const char *right)
{
    if (!equal) {
        printf("%s differs on \"%s\" and \"%s\"\n", name, left, right ? right : "");
        exit(1);
    }
}

#define RESULT(name, made, real) same((made) == (real), #name, left, right)
#define COMPARED(name, ...) same(sign(model_##name(__VA_ARGS__)) == sign(name(__VA_ARGS__)), #name, left, right)
#define FOUND(name, ...) same((void *)model_##name(__VA_ARGS__) == (void *)name(__VA_ARGS__), #name, left, right)
#define EQUAL(name, ...) same(model_##name(__VA_ARGS__) == name(__VA_ARGS__), #name, left, right)
/* Two targets of the same size with the same start: the same bytes and result afterwards. */
#define WRITTEN(name, room, ...) do { \
    size_t size_ = (room); \
    char *one = malloc(size_), *two = malloc(size_), *target; \
    memset(one, 'q', size_); memset(two, 'q', size_); \
    if (size_ > 2) one[1] = two[1] = 0; \
    target = one; long a_ = (long)(model_##name(__VA_ARGS__)); \
    target = two; long b_ = (long)(name(__VA_ARGS__)); \
    same(memcmp(one, two, size_) == 0, #name, left, right); \
    same(a_ - (long)one == b_ - (long)two || a_ == b_, #name, left, right); \
    free(one); free(two); } while (0)

static int by_letter(const void *left, const void *right) { return *(const char *)left - *(const char *)right; }

static void strings(char *left, char *right)
{
    size_t n = draw(8), l = strlen(left), r = strlen(right);
    int c = LETTERS[draw(sizeof LETTERS)];
    char *rest, *other_rest, *copy, *other;
    EQUAL(strlen, left); EQUAL(strnlen, left, n); EQUAL(strspn, left, right); EQUAL(strcspn, left, right);
    COMPARED(strcmp, left, right); COMPARED(strncmp, left, right, n); COMPARED(strcasecmp, left, right);
    COMPARED(strncasecmp, left, right, n); COMPARED(strcoll, left, right);
    COMPARED(memcmp, left, right, n < l && n < r ? n : 0);
    FOUND(strchr, left, c); FOUND(strrchr, left, c); FOUND(strchrnul, left, c); FOUND(index, left, c);
    FOUND(rindex, left, c); FOUND(strstr, left, right); FOUND(strpbrk, left, right);
    FOUND(strcasestr, left, right); FOUND(memchr, left, c, l); FOUND(memrchr, left, c, l);
    FOUND(memmem, left, l, right, r);
    WRITTEN(strcpy, l + 1, target, left); WRITTEN(stpcpy, l + 1, target, left);
    WRITTEN(strncpy, n + 1, target, left, n); WRITTEN(stpncpy, n + 1, target, left, n);
    WRITTEN(strcat, l + 3, target, left); WRITTEN(strncat, l + 3, target, left, n);
    WRITTEN(strxfrm, n + 1, target, left, n); WRITTEN(mempcpy, l + 1, target, left, l);
    copy = strdup(left); other = model_strdup(left);
    same(strcmp(copy, other) == 0, "strdup", left, right);
    char *token = strtok_r(copy, right, &rest), *model_token = model_strtok_r(other, right, &other_rest);
    for (;;) {
        same((token == NULL) == (model_token == NULL), "strtok_r", left, right);
        if (token == NULL)
            break;
        same(strcmp(token, model_token) == 0 && token - copy == model_token - other, "strtok_r", left, right);
        token = strtok_r(NULL, right, &rest); model_token = model_strtok_r(NULL, right, &other_rest);
    }
    free(copy); free(other);
    copy = strndup(left, n); other = model_strndup(left, n);
    same(strcmp(copy, other) == 0, "strndup", left, right);
    char *walk = copy, *model_walk = other;
    while (walk != NULL)
        same(strsep(&walk, right) - copy == model_strsep(&model_walk, right) - other, "strsep", left, right);
    free(copy); free(other);
    copy = strdup(left); other = strdup(left);
    qsort(copy, l, 1, by_letter); model_qsort(other, l, 1, by_letter);
    same(strcmp(copy, other) == 0, "qsort", left, right);
    char key = (char)c;
    char *found = bsearch(&key, copy, l, 1, by_letter), *model_found = model_bsearch(&key, other, l, 1, by_letter);
    same((found == NULL) == (model_found == NULL) && (!found || *found == *model_found), "bsearch", left, right);
    free(copy); free(other);
}

static const char *NUMBERS[] = {"0", "-0", "7", "-12", "+3", "0x1f", "0x", "0xg", "08", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "-18446744073709551615", "99999999999999999999999", "zz", "- 1", "", " \t\n 42abc", "+-1"};

#define NUMBER(name, text_, base) do { \
    char *end_, *model_end_; errno = 0; model_errno = 0; \
    int equal_ = model_##name(text_, &model_end_, base) == name(text_, &end_, base); \
    same(equal_ && end_ == model_end_ && (errno == ERANGE) == (model_errno == ERANGE), #name, text_, 0); } while (0)

static void numbers(const char *left, const char *right)
{
    static const int BASES[] = {0, 8, 10, 16, 36, 2};
    for (int i = 0; i < 6; i++) {
        NUMBER(strtol, left, BASES[i]); NUMBER(strtoul, left, BASES[i]);
        NUMBER(strtoll, left, BASES[i]); NUMBER(strtoull, left, BASES[i]);
        NUMBER(strtoimax, left, BASES[i]); NUMBER(strtoumax, left, BASES[i]);
    }
    if (strlen(left) < 10) { EQUAL(atoi, left); EQUAL(atol, left); EQUAL(atoll, left); }
}

/* Wide text of the same characters. */
static wchar_t *widened(const char *text)
{
    size_t length = strlen(text), i;
    wchar_t *made = malloc((length + 1) * sizeof *made);
    for (i = 0; i <= length; i++)
        made[i] = (unsigned char)text[i];
    return made;
}

#define WIDE_NUMBER(name, base) do { \
    wchar_t *end_, *model_end_; errno = 0; model_errno = 0; \
    int equal_ = model_##name(text_, &model_end_, base) == name(text_, &end_, base); \
    same(equal_ && end_ == model_end_ && (errno == ERANGE) == (model_errno == ERANGE), #name, text, 0); } while (0)
#define WIDE_REAL(name) do { \
    wchar_t *end_, *model_end_; name(text_, &end_); model_##name(text_, &model_end_); \
    same(end_ == model_end_, #name, text, 0); } while (0)

static void wide_numbers(const char *text)
{
    static const int BASES[] = {0, 8, 10, 16, 36, 2};
    wchar_t *text_ = widened(text);
    for (int i = 0; i < 6; i++) {
        WIDE_NUMBER(wcstol, BASES[i]); WIDE_NUMBER(wcstoul, BASES[i]);
        WIDE_NUMBER(wcstoll, BASES[i]); WIDE_NUMBER(wcstoull, BASES[i]);
    }
    if (strpbrk(text, "xXnNiI") == NULL) { WIDE_REAL(wcstod); WIDE_REAL(wcstof); WIDE_REAL(wcstold); }
    free(text_);
}

static void wide_classes(void)
{
    static const char *NAMES[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
        "space", "upper", "xdigit", "vowel", ""};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *left = NAMES[i], *right = 0;
        wctype_t real = wctype(left), made = model_wctype(left);
        same(!real == !made, "wctype", left, right);
        for (wint_t c = 0; c < 128; c++)
            same(!iswctype(c, real) == !model_iswctype(c, made), "iswctype", left, right);
    }
    for (wint_t c = 0; c < 128; c++) {
        same(towctrans(c, wctrans("tolower")) == model_towctrans(c, model_wctrans("tolower")), "towctrans", "", 0);
        same(towctrans(c, wctrans("toupper")) == model_towctrans(c, model_wctrans("toupper")), "towctrans", "", 0);
    }
    same(!wctrans("rot13") == !model_wctrans("rot13"), "wctrans", "", 0);
}

static void floats(void)
{
    static const double REALS[] = {0, 1.75, -2.5, 1e300, -7, 0.1, 1.0 / 0.0, -1.0 / 0.0};
    for (int i = 0; i < 8; i++) {
        double one, two;
        float three, four;
        same(modf(REALS[i], &one) == model_modf(REALS[i], &two) && one == two, "modf", "", 0);
        same(modff((float)REALS[i], &three) == model_modff((float)REALS[i], &four) && three == four, "modff", "", 0);
    }
}

static void wides(void)
{
    wchar_t *left_ = wide(7), *right_ = wide(4), c = L"aab,\x2603-"[draw(7)];
    const char *left = "wide", *right = "wide";
    size_t n = draw(8);
    EQUAL(wcslen, left_); EQUAL(wcsnlen, left_, n); EQUAL(wcsspn, left_, right_); EQUAL(wcscspn, left_, right_);
    COMPARED(wcscmp, left_, right_); COMPARED(wcsncmp, left_, right_, n); COMPARED(wcscoll, left_, right_);
    FOUND(wcschr, left_, c); FOUND(wcsrchr, left_, c); FOUND(wcsstr, left_, right_); FOUND(wcspbrk, left_, right_);
    COMPARED(wmemcmp, left_, right_, 0); FOUND(wmemchr, left_, c, wcslen(left_));
    wchar_t *copy = wcsdup(left_), *other = model_wcsdup(left_), *rest = 0, *other_rest = 0;
    same(wcscmp(copy, other) == 0, "wcsdup", left, right);
    wchar_t *token = wcstok(copy, right_, &rest), *model_token = model_wcstok(other, right_, &other_rest);
    while (token != NULL && model_token != NULL) {
        same(token - copy == model_token - other, "wcstok", left, right);
        token = wcstok(NULL, right_, &rest); model_token = model_wcstok(NULL, right_, &other_rest);
    }
    same(token == NULL && model_token == NULL, "wcstok", left, right);
    free(copy); free(other);
    wchar_t one[16], two[16];
#define WIDE_WRITTEN(name, ...) do { \
    wmemset(one, L'q', 16); wmemset(two, L'q', 16); one[2] = two[2] = 0; wchar_t *target; \
    target = one; long a_ = (long)((wchar_t *)model_##name(__VA_ARGS__) - one); \
    target = two; long b_ = (long)((wchar_t *)name(__VA_ARGS__) - two); \
    same(a_ == b_ && wmemcmp(one, two, 16) == 0, #name, left, right); } while (0)
    WIDE_WRITTEN(wcscpy, target, left_); WIDE_WRITTEN(wcsncpy, target, left_, n); WIDE_WRITTEN(wcscat, target, left_);
    WIDE_WRITTEN(wcsncat, target, left_, n); WIDE_WRITTEN(wmemcpy, target, left_, wcslen(left_));
    WIDE_WRITTEN(wmemmove, target, left_, wcslen(left_)); WIDE_WRITTEN(wmemmove, target + 1, target, 3);
    WIDE_WRITTEN(wmemset, target, c, n);
    wmemset(one, L'q', 16); wmemset(two, L'q', 16);
    same(wcsxfrm(one, left_, n) == model_wcsxfrm(two, left_, n), "wcsxfrm", left, right);
    same(wcslen(left_) >= n || wmemcmp(one, two, 16) == 0, "wcsxfrm", left, right);
    free(left_); free(right_);
}

/* The functions of BSD, which older libraries do not have. */
static size_t strlcpy_(char *target, const char *text, size_t size)
{
    return (size_t)snprintf(target, size, "%s", text);
}
static size_t strlcat_(char *target, const char *text, size_t size)
{
    size_t start = strnlen(target, size);
    return start + (size_t)snprintf(start < size ? target + start : NULL, size - start, "%s", text);
}
static void bounded(const char *left, const char *right)
{
    char one[12] = "ab", two[12] = "ab";
    for (size_t room = 1; room < 12; room++) {
        size_t strlcpy_length = model_strlcpy(one, left, room);
        same(strlcpy_length == strlcpy_(two, left, room) && !memcmp(one, two, 12), "strlcpy", left, right);
        size_t strlcat_length = model_strlcat(one, right, room);
        same(strlcat_length == strlcat_(two, right, room) && !memcmp(one, two, 12), "strlcat", left, right);
    }
}

static void blocks(void)
{
    static const size_t ALIGNMENTS[] = {0, 1, 3, 4, 8, 16, 24, 64};
    void *one, *two;
    for (int i = 0; i < 8; i++) {
        int real = posix_memalign(&one, ALIGNMENTS[i], 8), model = model_posix_memalign(&two, ALIGNMENTS[i], 8);
        same(real == model, "posix_memalign", "", 0);
        if (real == 0) { memset(one, 1, 8); memset(two, 1, 8); free(one); free(two); }
    }
#define BLOCK(name, ...) one = name(__VA_ARGS__); two = model_##name(__VA_ARGS__); \
    same(!one == !two, #name, "", 0); memset(one, 1, 64); memset(two, 1, 64); free(one); free(two)
    BLOCK(aligned_alloc, 64, 64); BLOCK(memalign, 64, 64); BLOCK(valloc, 64); BLOCK(reallocarray, NULL, 8, 8);
    one = malloc(8); two = malloc(8);
    same(!reallocarray(one, (size_t)-1 / 4, 8) && !model_reallocarray(two, (size_t)-1 / 4, 8), "reallocarray", "", 0);
    free(one); free(two);
    two = model__mm_malloc(64, 16); same(two != NULL, "_mm_malloc", "", 0); model__mm_free(two);
}

#define CLASS(name) for (int c = -1; c < 256; c++) same(!model_##name(c) == !name(c), #name, "", 0)
#define WIDE_CLASS(name) for (int c = 0; c < 128; c++) same(!model_##name((wint_t)c) == !name((wint_t)c), #name, "", 0)

static void options(int count, char **words, const char *accepted)
{
    const char *left = accepted, *right = words[1];
    int one, two;
    opterr = 0; optind = 1; optind = 0; optind = 1; model_optind = 1; model_position = 1;
    do {
        one = getopt(count, words, accepted); two = model_getopt(count, words, accepted);
        same(one == two && optind == model_optind, "getopt", left, right);
        same(one == -1 || (optarg == NULL) == (model_optarg == NULL), "getopt", left, right);
        same(one == -1 || !optarg || strcmp(optarg, model_optarg) == 0, "getopt", left, right);
    } while (one != -1);
}

int main(void)
{
    const char *left = "", *right = "";
    for (int i = 0; i < ROUNDS; i++) {
        char *one = text(9), *two = text(4);
        strings(one, two);
        numbers(one, two);
        wide_numbers(one);
        bounded(one, two);
        free(one); free(two);
        wides();
    }
    blocks();
    wide_classes();
    floats();
    for (int c = -1; c < 128; c++) { EQUAL(btowc, c); EQUAL(wctob, (wint_t)c); }
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        numbers(NUMBERS[i], ""), wide_numbers(NUMBERS[i]);
    CLASS(isalnum); CLASS(isalpha); CLASS(isblank); CLASS(iscntrl); CLASS(isdigit); CLASS(isgraph); CLASS(islower);
    CLASS(isprint); CLASS(ispunct); CLASS(isspace); CLASS(isupper); CLASS(isxdigit);
    WIDE_CLASS(iswalnum); WIDE_CLASS(iswalpha); WIDE_CLASS(iswblank); WIDE_CLASS(iswcntrl); WIDE_CLASS(iswdigit);
    WIDE_CLASS(iswgraph); WIDE_CLASS(iswlower); WIDE_CLASS(iswprint); WIDE_CLASS(iswpunct); WIDE_CLASS(iswspace);
    WIDE_CLASS(iswupper); WIDE_CLASS(iswxdigit);
    for (int c = -1; c < 256; c++) { EQUAL(tolower, c); EQUAL(toupper, c); EQUAL(toascii, c); EQUAL(isascii, c) ; }
    for (int c = 0; c < 128; c++) { EQUAL(towlower, (wint_t)c); EQUAL(towupper, (wint_t)c); }
    for (int i = -70; i < 70; i++) {
        EQUAL(abs, i); EQUAL(labs, i * 99999L); EQUAL(llabs, i * 99999LL); EQUAL(ffs, i); EQUAL(ffsl, i * 512L);
        EQUAL(ffsll, i * 1048576LL); EQUAL(imaxabs, (intmax_t)i);
        div_t a = div(i, 7), b = model_div(i, 7); same(a.quot == b.quot && a.rem == b.rem, "div", "", 0);
        ldiv_t c = ldiv(i, -3), d = model_ldiv(i, -3); same(c.quot == d.quot && c.rem == d.rem, "ldiv", "", 0);
    }
    char *words[] = {"p", "-ab", "-c", "x", "-dy", "-e", "--", "-a", NULL}, *short_words[] = {"p", "-c", NULL};
    options(8, words, "abc:d:"); options(8, words, ":abc:d");
    options(2, short_words, ":c:"); options(2, short_words, "c:");
    puts("same");
    return 0;
}
"""


def with_templates(text: str) -> str:
    """The text of models with the templates that it includes."""
    return re.sub(r'#include "(any_\w+\.h)"', lambda found: TEMPLATES[found[1]], text)


def as_one_file(rounds: int) -> str:
    """All models, renamed, between twins of intrinsics and the comparisons."""
    parts = []
    names: set[str] = set()
    for name in FILES:
        text = (MODELS / f"{name}.c").read_text(encoding="utf-8")
        text = with_templates(text)
        text = re.sub(r"#define NAME\(rest\) (\w+)##rest", r"#undef NAME\n#define NAME(rest) model_\1##rest", text)
        text = re.sub(r"#define (CHARACTER|PASSED)", r"#undef \1\n#define \1", text)
        text = re.sub(r"^#include.*\n", "", text, flags=re.MULTILINE)
        for private in re.findall(r"^static [^;=()]*?\b(\w+)\(", text, re.MULTILINE):
            text = re.sub(rf"\b{private}\b", f"{name}_{private}", text)
        parts.append(text)
        names.update(re.findall(r"^[a-z][\w ]*?[ *](\w+)\([^;]*\)\n\{", text, re.MULTILINE))
    names |= {"optarg", "optind", "opterr", "optopt", "position", "errno"}
    templates = "".join(TEMPLATES.values())
    names |= {prefix + rest for prefix in ("str", "wcs") for rest in re.findall(r"\bNAME\((\w+)\)\(", templates)}
    names = {one for one in names if not one.startswith(tuple(f"{name}_" for name in FILES))}
    body = "\n".join(parts)
    body = re.sub(rf"(?<!\")\b({'|'.join(sorted(names))})\b", r"model_\1", body)
    return START + "static int model_errno;\n" + body + END.replace("ROUNDS", str(rounds))


@needs_gcc
def test_models_do_what_the_library_does(tmp_path: Path) -> None:
    source, program = tmp_path / "models.c", tmp_path / "models"
    source.write_text(as_one_file(500), encoding="utf-8")
    flags = ["-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-builtin"]
    made = subprocess.run(
        ["gcc", *flags, str(source), "-o", str(program), "-lm"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    options = {"ASAN_OPTIONS": "allocator_may_return_null=1"}
    answer = subprocess.run([str(program)], capture_output=True, text=True, check=False, env=options)
    assert (answer.returncode, answer.stdout) == (0, "same\n"), answer.stderr[:2000]
