"""Random programs of library calls: strings, formats, callbacks, and input that they read.

All memory is initialised, and comparison functions order completely, so that a program prints the same wherever it
runs; a few write behind a buffer, or use what is freed, in calls that gcc's sanitizers look at.

    generate(7).text         # C text, whose function is `run_7`
    generate(7).input        # what it reads, b"" if it reads nothing
"""

from __future__ import annotations

import random
from dataclasses import dataclass

HEADER = """\
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
"""

DECLARATIONS = """\
struct item@ { int key; char name[8]; };
static unsigned long checksum@;
static void mix@(unsigned long v) { checksum@ = checksum@ * 31 + v; }
static int by_number@(const void *one, const void *other)
{
    int left = *(const int *)one, right = *(const int *)other;
    return left < right ? -1 : left > right;
}
static int downwards@(const void *one, const void *other) { return by_number@(other, one); }
static int by_name@(const void *one, const void *other)
{
    return strcmp(((const struct item@ *)one)->name, ((const struct item@ *)other)->name);
}
static int by_text@(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}
static int twice@(int n) { return n * 2; }
static int square@(int n) { return n * n % 1000; }
static int letter@(int n) { return isalpha(n & 127) ? toupper(n & 127) : '.'; }
static int each@(int *from, int count, int (*change)(int))
{
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += from[k] = change(from[k]);
    return sum;
}
static void last@(void) { printf("last %lu\\n", checksum@); }
static char *joined@(const char *one, const char *other)
{
    size_t size = strlen(one) + strlen(other) + 2;
    char *made = malloc(size);
    if (!made)
        abort();
    snprintf(made, size, "%s-%s", one, other);
    return made;
}
"""

START = """\
    char a[16] = "abc", b[24] = "b-2,c 3;dd", line[20] = "", *text = strdup("text"), *rest = NULL;
    int numbers[6] = {5, -3, 12, 0, 7, 2}, n = 1, k = 0;
    struct item@ items[3] = {{3, "three"}, {1, "one"}, {2, "two"}};
    const char *words[4] = {"pear", "apple", "plum", "fig"};
    int (*changes[3])(int) = {twice@, square@, letter@};
    wchar_t wide[8] = L"wide";
    double d = 1.5;
    unsigned u = 40;
    long l = -70000;
    if (!text)
        abort();
"""

# %s: a small number; %t: a small string; %b: one of the buffers; %w: a width; %f: a conversion of an int; %g: of a
# double; %c: a character; %e: below 3, nearly always; %r: a function from int to int, as an element of the table
CALLS = (
    "strcpy(%b, %t);",
    "strcpy(a, b);",
    "strcpy(a, text);",
    "strcat(%b, %t);",
    "strncpy(a, b, %s); a[%s] = 0;",
    "strncat(%b, %t, %s);",
    "sprintf(a, %q%f|%q, n);",
    "sprintf(b, %q%f %s%%%q, k, %t);",
    "mix@(snprintf(a, sizeof a, %q%s:%f%q, b, n));",
    "mix@(snprintf(line, %s, %q%s%q, b));",
    "mix@(snprintf(NULL, 0, %q%s %f %g%q, a, n, d));",
    "memcpy(a, %t, 3); a[3] = 0;",
    "memmove(b + 1, b, strlen(b) < 20 ? strlen(b) + 1 : 1);",
    "memset(a, %c, %s); a[%s] = 0;",
    "mix@(strlen(a)); mix@(strlen(b)); mix@(strlen(text));",
    "mix@(strcmp(a, %t) < 0); mix@(strncmp(b, a, %s) > 0); mix@(strcasecmp(a, text) == 0);",
    "mix@(memcmp(b, %t, 2) != 0);",
    "{ char *p = strchr(b, %c); mix@(p ? p - b : 99); }",
    "{ char *p = strrchr(a, %c); mix@(p ? p - a : 99); }",
    "{ char *p = strstr(b, %t); if (p) puts(p); }",
    "{ char *p = strpbrk(b, %t); if (p) *p = %c; }",
    "mix@(strspn(b, %t)); mix@(strcspn(a, %t));",
    "for (char *p = strtok(b, %q,;- %q); p; p = strtok(NULL, %q,;- %q)) printf(%q<%s>%q, p);",
    "for (char *p = strtok_r(a, %t, &rest); p; p = strtok_r(NULL, %t, &rest)) mix@(strlen(p));",
    "free(text); text = strdup(%b); if (!text) abort();",
    "free(text); text = strndup(b, %s); if (!text) abort();",
    "free(text); text = joined@(a, %t);",
    "{ char *p = realloc(text, strlen(text) + %s); if (!p) abort(); text = p; strcat(text, %t); }",
    "if (asprintf(&rest, %q%f/%s%q, n, a) >= 0) { puts(rest); free(rest); }",
    "n = atoi(b); mix@(n);",
    "l = strtol(b, &rest, %s + 2); mix@(l); mix@(rest - b);",
    "l = strtol(%q 0x1F9z%q, &rest, 0) + strtoul(%q77%q, NULL, 8); mix@(l); puts(rest);",
    "n = sscanf(b, %q%d-%d%q, &n, &k); mix@(n); mix@(k);",
    "mix@(sscanf(%q12 ab c%q, %q%d %3s %c%q, &n, a, line)); mix@(n); puts(a);",
    "mix@(sscanf(b, %q%19[^,]%q, line)); puts(line);",
    "mix@(sscanf(%q7f:x%q, %q%x:%n%q, &u, &k)); mix@(u); mix@(k);",
    "qsort(numbers, 6, sizeof *numbers, by_number@);",
    "qsort(numbers, %s, sizeof(int), downwards@);",
    "qsort(items, 3, sizeof *items, by_name@); mix@(items[0].key);",
    "qsort(words, 4, sizeof *words, by_text@); puts(words[%e]);",
    "qsort(numbers, 6, sizeof *numbers, by_number@); "
    "{ int *p = bsearch(&n, numbers, 6, sizeof n, by_number@); mix@(p ? p - numbers : 9); }",
    "mix@(each@(numbers, 6, %r));",
    "mix@(each@(numbers, %s, %r));",
    "mix@(%r(k)); n = %r(n) %% 100;",
    "for (k = 0; b[k]; k++) if (isdigit((unsigned char)b[k]) || isspace((unsigned char)b[k])) mix@(k);",
    "for (k = 0; a[k]; k++) a[k] = toupper((unsigned char)a[k]);",
    "for (k = 0; b[k]; k++) putchar(tolower((unsigned char)b[k]));",
    "mix@(abs(n - 50)); { div_t q = div(n, %s + 1); mix@(q.quot * 10 + q.rem); }",
    "printf(%q%f %g%%\\n%q, n, d);",
    "printf(%q[%w] %u %#x\\n%q, b, u, u);",
    "printf(%q[%w|%c]\\n%q, text, %c);",
    "printf(%q%ld %lo %hhd\\n%q, l, l, (signed char)l);",
    "printf(%q%*d|%.*s|\\n%q, (int)strlen(a) %% 7, n, (int)strlen(b) %% 5, b);",
    "k = printf(%q%s,%f%q, a, k); mix@(k);",
    "printf(%q%d%n\\n%q, k, &k); mix@(k);",
    "puts(a); fputs(b, stdout); putchar(%c);",
    "fprintf(stdout, %q%w=%f\\n%q, b, n); dprintf(1, %q%s,%f%q, a, k);",
    "fwrite(b, 1, strlen(b), stdout); putc(10, stdout);",
    "d = d * 1.25 + %s; printf(%q%g %g\\n%q, d, d / 3);",
    "d = strtod(%q2.5e1x%q, &rest); mix@((unsigned long)d); puts(rest);",
    "d = strtod(b, &rest); printf(%q%g\\n%q, d); puts(rest); d = strtod(%q-0x1.8p2q%q, NULL); printf(%q%g\\n%q, d);",
    "wcscpy(wide, L%q%c%c%q); mix@(wcslen(wide)); mix@(wcscmp(wide, L%qxx%q) < 0);",
    "mix@(wcslen(wide)); { wchar_t *p = wcschr(wide, L'd'); mix@(p ? p - wide : 9); }",
    "mix@(strnlen(b, %s)); { void *p = memchr(b, %c, strlen(b)); mix@(p != NULL); }",
    "if (n == %s) { free(text); puts(text); text = NULL; }",
    "if (k == %s) { free(text); printf(%q%s%q, text); }",
    "{ char *p = malloc(%s + 1); if (!p) abort(); strcpy(p, %t); puts(p); free(p); }",
    "{ char *p = malloc(strlen(b) + %e); if (!p) abort(); strcpy(p, b); mix@(strlen(p)); free(p); }",
    "{ int *p = calloc(4, sizeof *p); if (!p) abort(); mix@(each@(p, %e + 2, %r)); free(p); }",
)

READERS = (
    "if (scanf(%q%d%q, &n) == 1) mix@(n);",
    "if (scanf(%q%d %d%q, &n, &k) == 2) mix@(n + k);",
    "if (scanf(%q%15s%q, a) == 1) puts(a);",
    "if (scanf(%q %c%q, line) == 1) mix@(line[0]);",
    "if (scanf(%q%7[a-f]%q, a) == 1) puts(a);",
    "if (scanf(%q%x%q, &u) == 1) mix@(u);",
    "if (fscanf(stdin, %q%d%*c%2s%q, &n, a) == 2) { mix@(n); puts(a); }",
    "if (scanf(%q%lf%q, &d) == 1) printf(%q%g\\n%q, d);",
    "mix@(scanf(%q%*s%q)); mix@(scanf(%q%d,%q, &k));",
    "if (fgets(line, sizeof line, stdin)) { line[strcspn(line, %q\\n%q)] = 0; puts(line); }",
    "if (fgets(a, %s + 1, stdin)) mix@(strlen(a));",
    "if (fgets(line, sizeof line, stdin)) mix@(sscanf(line, %q%d %d%q, &n, &k)); mix@(n); mix@(k);",
    "k = getchar(); mix@(k); mix@(feof(stdin) != 0);",
    "while ((k = getchar()) != EOF && k != 10) mix@(k);",
    "k = getc(stdin); if (k != EOF) ungetc(k, stdin); mix@(k);",
    "{ size_t got = fread(a, 1, %s, stdin); mix@(got); a[got] = 0; puts(a); }",
    "{ char *row = NULL; size_t room = 0; ssize_t got = getline(&row, &room, stdin); mix@(got); "
    "if (got > 0) fputs(row, stdout); free(row); }",
    "if (scanf(%q%d%q, &n) == 1 && n >= 0 && n < %s) mix@(numbers[n]);",
    "if (scanf(%q%d%q, &n) == 1 && n > -20 && n < 20 && (n < 0 || n > 5)) n = 2; "
    "if (n >= 0 && n <= %s) { int *p = malloc(5 * sizeof *p); if (!p) abort(); p[n] = n; mix@(p[n]); free(p); }",
    "{ char *p = malloc(5); if (!p) abort(); if (scanf(%q%s%q, p) == 1) puts(p); free(p); }",
    "{ char *p = malloc(6); if (!p) abort(); if (fgets(p, %e + 5, stdin)) fputs(p, stdout); free(p); }",
)

ENDINGS = ("atexit(last@);",)

INTEGER_FORMATS = ("%d", "%5d", "%-4d|", "%05d", "%+d", "% d", "%x", "%#x", "%o", "%u", "%.3d", "%8.4d", "%c", "%i")
DOUBLE_FORMATS = ("%f", "%.2f", "%8.1f", "%g", "%e", "%.0f", "%-9.3f|", "%+.1e", "%G")
WIDTHS = ("%s", "%9s", "%-9s", "%.3s", "%6.2s", "%-5.1s")
TEXTS = ('""', '"a"', '"-2"', '"b-"', '"abc"', '"dd x"', '"longer, text"')
INPUT_WORDS = (
    "1",
    "-3",
    "4",
    "12",
    "7,",
    "0x1f",
    "abc",
    "fade",
    "x",
    "2.5",
    "1e2",
    "0x.8p3",
    "words",
    "longerword",
    "99",
)
SEPARATORS = (" ", " ", "\n", "\n", "  ", "\t", ",")


@dataclass(frozen=True, slots=True)
class LibraryProgram:
    seed: int
    text: str
    input: bytes
    reads: bool


def generate(seed: int, size: int = 10) -> LibraryProgram:
    """Two of three programs read input."""
    draw = random.Random(seed)
    reads = seed % 3 != 0
    pool = (*CALLS, *READERS, *READERS) if reads else CALLS
    body = [_filled(draw.choice(pool), draw) for _ in range(size)]
    if draw.random() < 0.2:
        body.insert(draw.randrange(size), ENDINGS[0])
    lines = [*START.splitlines(), *(f"    {one}" for one in body), '    printf("\\nchecksum %lu\\n", checksum@);']
    lines.append("    free(text);")
    text = DECLARATIONS + "static int run@(void)\n{\n" + "\n".join(lines) + "\n    return 0;\n}\n"
    return LibraryProgram(seed, text.replace("@", f"_{seed}"), _input(draw) if reads else b"", reads)


def _input(draw: random.Random) -> bytes:
    parts = [draw.choice(INPUT_WORDS) + draw.choice(SEPARATORS) for _ in range(draw.randrange(9))]
    return "".join(parts).encode()


def _filled(statement: str, draw: random.Random) -> str:
    """A statement with its holes filled; what stands between `%q` and `%q` is a string literal, whose conversions other
    than `%f`, `%g` and `%w` stay."""
    found = []
    for number, part in enumerate(statement.split("%q")):
        found.append(_format(part, draw) if number % 2 else _code(part, draw))
    return '"'.join(found)


def _format(text: str, draw: random.Random) -> str:
    for hole, choices in (("%f", INTEGER_FORMATS), ("%g", DOUBLE_FORMATS), ("%w", WIDTHS)):
        parts = text.split(hole)
        text = parts[0] + "".join(draw.choice(choices).replace("%", "\1") + part for part in parts[1:])
    return text.replace("\1", "%")


def _code(text: str, draw: random.Random) -> str:
    parts = text.replace("%%", "\1").split("%")
    found = parts[0] + "".join(_hole(part[0], draw) + part[1:] for part in parts[1:])
    return found.replace("\1", "%")


def _hole(kind: str, draw: random.Random) -> str:
    match kind:
        case "s":
            return str(draw.choice((2, 3, 4, 5, 6) if draw.random() < 0.85 else (0, 1, 7, 8, 9)))
        case "e":
            return str(draw.randrange(1, 3) if draw.random() < 0.9 else 0 if draw.random() < 0.7 else 3)
        case "t":
            return draw.choice(TEXTS)
        case "b":
            return draw.choice(("a", "b", "b"))
        case "c":
            return draw.choice(("'a'", "'-'", "','", "'2'", "'z'"))
        case "r":
            return f"changes[{draw.randrange(3)}]"
    raise AssertionError(kind)
