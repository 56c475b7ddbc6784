"""Random programs without inputs that look at memory byte by byte: copies of parts of objects, unions, casts, a pool of
untyped memory, a flexible array, tagged pointers, variable arguments, floating point.

All memory is initialised, so that a program does the same wherever it runs; a few go out of bounds or use what is
freed. Blocks are not freed in general: leaks are not what they are about.

    generate(7)         # the text of a C program, whose function is `run_7`
"""

from __future__ import annotations

import random

HEADER = """\
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
"""

DECLARATIONS = """\
struct rec@ { char tag; int num; short half; char *name; };
union cell@ { int i; unsigned u; short h[2]; unsigned char c[4]; float f; };
union word@ { long n; double d; char *p; unsigned char c[8]; int half[2]; };
struct flex@ { unsigned len; short items[]; };
struct bits@ { unsigned a : 3, b : 6, c : 15; short d; };
static unsigned long checksum@;
static void mix@(unsigned long v) { checksum@ = checksum@ * 31 + v; }
static unsigned long total@(int n, ...)
{
    va_list list;
    unsigned long sum = 0;
    va_start(list, n);
    for (int k = 0; k < n; k++)
        sum += k % 2 ? (unsigned long)va_arg(list, double) : (unsigned long)va_arg(list, int);
    va_end(list);
    return sum;
}
static void exchange@(void *one, void *other, size_t size)
{
    unsigned char *p = one, *q = other;
    while (size--) {
        unsigned char kept = *p;
        *p++ = *q;
        *q++ = kept;
    }
}
"""

START = """\
    struct rec@ a, b;
    union cell@ x, y;
    union word@ w;
    struct bits@ bits;
    unsigned char buffer[32];
    double d = 1;
    char *text = malloc(8);
    unsigned char *pool = malloc(64);
    struct flex@ *flex = malloc(sizeof *flex + 6);
    uintptr_t kept = 0;
    if (!text || !pool || !flex)
        abort();
    memset(&a, 1, sizeof a);
    memset(&b, 2, sizeof b);
    memset(&x, 3, sizeof x);
    memset(&y, 4, sizeof y);
    memset(&w, 0, sizeof w);
    memset(&bits, 5, sizeof bits);
    memset(buffer, 6, sizeof buffer);
    memset(text, 7, 8);
    memset(pool, 8, 64);
    memset(flex, 9, sizeof *flex + 6);
    a.name = text;
    b.name = text + 1;
"""

# %s: a small number; %o: an offset or a size that is nearly always possible; %m: a multiple of 8; %e: below 4
STATEMENTS = (
    "memcpy(&b, &a, %o);",
    "memcpy(buffer + %s, &a, %o);",
    "memcpy(&x, buffer + %o, 4);",
    "memcpy(&a.num, buffer + %o, sizeof a.num);",
    "memset((char *)&a + 4, %s, %s);",
    "memmove(buffer + %s, buffer + %s, %o);",
    "a = b;",
    "exchange@(&a, &b, sizeof a);",
    "exchange@(&x, &y, %e);",
    "x.i = %s * 1000003;",
    "x.h[%e & 1] = %s - 40;",
    "x.c[%e] = %s + 100;",
    "y = x;",
    "x.f = %s + 0.5f; mix@(x.u);",
    "mix@(x.u); mix@(x.c[%e]); mix@(y.h[1]);",
    "mix@(*(unsigned short *)&x.c[%e & 2]);",
    "{ short *h = &x.h[1]; *h = %s; mix@(x.i); }",
    "w.d = d; mix@(w.n); mix@(w.c[7]);",
    "w.p = text; w.n += %e; w.p[1] = %s; mix@(text[%e + 1]);",
    "w.half[0] = %s; w.half[1] = -%s; mix@(w.n);",
    "d = d * 1.5 + %s; mix@((unsigned long)d);",
    "{ uint64_t u; memcpy(&u, &d, sizeof u); mix@(u); }",
    "{ float f = (float)d; mix@((unsigned long)(f * 4)); }",
    "*(int *)(pool + 4 * %s) = %s * 77;",
    "*(long *)(pool + %m) = %s * 12345678901;",
    "mix@(*(unsigned short *)(pool + 2 * %s));",
    "{ struct rec@ *r = (struct rec@ *)(pool + %m); r->num = %s; r->name = text; mix@(r->half); }",
    "{ struct rec@ *r = (struct rec@ *)(pool + %m); r->name = text + 2; memcpy(&a, r, sizeof a); a.name[0] = %s; }",
    "flex->items[%e] = %s * 300; mix@(flex->items[%e] + flex->len);",
    "{ unsigned char *p = (unsigned char *)flex; mix@(p[4 + %s]); }",
    "flex->len = %s; mix@(((unsigned char *)flex)[%e]);",
    "kept = (uintptr_t)text | 1; ((char *)(kept & ~(uintptr_t)1))[%e] = %s; mix@(kept & 7);",
    "{ char *p = (char *)(uintptr_t)(a.name - text); mix@((uintptr_t)p); }",
    "mix@(total@(4, %s, %s + 0.5, %s, 2.0));",
    "bits.a = %s; bits.b = %s; bits.c = %s * 100; mix@(((unsigned char *)&bits)[%e]);",
    "memcpy(buffer + 8, &bits, sizeof bits); ((unsigned char *)&bits)[%e] = %s; mix@(bits.a + bits.b * 8 + bits.c);",
    "mix@(a.num); mix@(a.half); mix@(a.tag); mix@(b.num);",
    "mix@(a.name[%e]); b.name[1] = %s;",
    "mix@(memcmp(buffer, buffer + %s, 4) < 0);",
    "for (int k = 0; k < %s + 2; k++) mix@(buffer[k]);",
    "for (unsigned k = 0; k < sizeof x; k++) ((char *)&y)[k] = ((char *)&x)[k];",
    "pool = realloc(pool, 64 + 8 * %e); if (!pool) abort();",
    "{ struct rec@ *r = malloc(sizeof *r); if (!r) abort(); memcpy(r, &a, sizeof a); mix@(r->num); free(r); }",
    "if (%s == 9) { free(text); text = malloc(8); if (!text) abort(); memset(text, 1, 8); }",
)


def generate(seed: int, size: int = 14) -> str:
    draw = random.Random(seed)
    body = [_filled(draw.choice(STATEMENTS), draw) for _ in range(size)]
    lines = [*START.splitlines(), *(f"    {one}" for one in body)]
    text = DECLARATIONS + "static int run@(void)\n{\n" + "\n".join(lines) + "\n    return 0;\n}\n"
    return text.replace("@", f"_{seed}")


def _filled(statement: str, draw: random.Random) -> str:
    parts = statement.split("%")
    found = [parts[0]]
    for part in parts[1:]:
        found.append(_number(part[:1], draw) + part[1:])
    return "".join(found)


def _number(kind: str, draw: random.Random) -> str:
    match kind:
        case "s":
            return str(draw.randrange(10))
        case "o":
            return str(draw.choice((0, 1, 3, 4, 7, 8, 12, 16, 20) if draw.random() < 0.97 else (24, 25, 33)))
        case "m":
            return str(8 * draw.randrange(6 if draw.random() < 0.95 else 9))
        case "e":
            return str(draw.randrange(3 if draw.random() < 0.95 else 5))
    raise AssertionError(kind)
