"""`heapwright run`: the input and output of a program are real. A compiler is the judge of what it prints."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")

EVERYTHING = r"""
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

int main(int argc, char **argv)
{
    int i = 0, n = 0, a = 0, b = 0;
    unsigned u = 0;
    short s = 0;
    double d = 0;
    float f = 0;
    char w[20], set[20], c = 0, buffer[64], *line = NULL, *made = NULL;
    size_t room = 0;
    FILE *file;
    for (i = 1; i < argc; i++)
        printf("[%s]%c", argv[i], i + 1 < argc ? ' ' : '\n');
    printf("%d %5d|%-5d|%05d|%+d|% d|%.3d|%x|%#X|%o|%#o|%u|%c|%%|%s\n", argc, argc, argc, argc, argc, argc, argc,
           argc * 255, argc * 255, argc * 8, argc * 8, -argc, 'x', "literal");
    printf("%hhd %hd %ld %lld %zu\n", argc + 300, argc + 70000, argc + 5000000000L, -1LL, strlen(argv[1]));
    n = scanf("%d %lf %19s %x %hd%c", &i, &d, w, &u, &s, &c);
    printf("%d: %d %f %s %x %d %d\n", n, i, d, w, u, s, c);
    printf("%d\n", scanf("%5[a-c]%[^\n]", w, set));
    printf("<%s> <%s>\n", w, set);
    printf("%d ", scanf("%d,%n", &a, &n));
    printf("%d\n%d\n", n, scanf("%d", &b));
    printf("%c", getchar());
    ungetc('u', stdin);
    printf("%s", fgets(buffer, 5, stdin));
    printf("%s", fgets(buffer, sizeof buffer, stdin));
    n = (int)getline(&line, &room, stdin);
    printf("%d <%s>\n", n, line);
    printf("%g %e %.2f %8.3f|%-8.1f|%G %.0f %a\n", d, d, d, d, d, 1e-10, 2.5, 0.75);
    printf("%.4f %.4f %.3f %.0f\n", sin(d), pow(d, 3), sqrt(d), round(d));
    f = 0.1f;
    printf("%f %.10f %g %d\n", f, f, INFINITY, (int)f);
    sprintf(buffer, "%d-%s-%.3f", i, w, d);
    puts(buffer);
    n = snprintf(buffer, 6, "%*d|%-*s|", 5, i, 9, w);
    printf("%d <%s>\n", n, buffer);
    n = sscanf("12,34 word", "%d,%d %9s", &a, &b, w);
    printf("%d %d %d %s\n", n, a, b, w);
    say("%s %i %5.1f %c %-4d| %p\n", "say", 7, 2.25, 'c', 3, (void *)0);
    printf(argc > 5 ? "no" : "format %d\n", 9);
    printf("%g %ld %d\n", atof("2.5e3x"), strtol("0x1f", NULL, 0), atoi("-42z"));
    printf("%d\n", asprintf(&made, "%d%s", 77, "!"));
    puts(made);
    file = fopen("written.txt", "w+");
    fprintf(file, "line %d\nsecond\n", 1);
    rewind(file);
    while (fgets(buffer, sizeof buffer, file))
        fputs(buffer, stdout);
    printf("%d %ld\n", feof(file) != 0, ftell(file));
    fclose(file);
    printf("%d\n", fopen("there is no such file", "r") == NULL);
    fwrite("raw\n", 1, 4, stdout);
    while ((i = getchar()) != EOF)
        putchar(toupper(i));
    n = feof(stdin) != 0;
    printf("%d %d\n", n, scanf("%d", &i));
    fprintf(stderr, "to the standard error\n");
    free(line);
    free(made);
    return 0;
}
"""
INPUT = "17 2.5 word ff -3zabcabcd rest\n12,x7\nlines of text\nanother line\nlast one\nend"


def run(folder: Path, command: list[str], text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, check=False)


@needs_gcc
@pytest.mark.slow
def test_a_program_prints_what_it_prints_when_it_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(EVERYTHING, encoding="utf-8")
    compiled = run(tmp_path, ["gcc", "-D_GNU_SOURCE", "-w", "a.c", "-o", "a", "-lm"], "")
    assert compiled.returncode == 0, compiled.stderr
    interpreted = run(tmp_path, [sys.executable, "-m", "heapwright", "run", "a.c", "--", "one", "-two words"], INPUT)
    assert not (tmp_path / "written.txt").exists()
    real = run(tmp_path, ["./a", "one", "-two words"], INPUT)
    assert interpreted.stdout == real.stdout
    assert interpreted.stderr.startswith("to the standard error\n")
    assert interpreted.returncode == 0


def test_a_violation_that_depends_on_the_input(tmp_path: Path) -> None:
    text = (
        "#include <stdio.h>\nint main(void) {\n  char name[4]; int age;\n"
        '  puts("who?");\n  if (scanf("%s %d", name, &age) == 2) printf("%s %d\\n", name, age);\n  return 0;\n}\n'
    )
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "heapwright", "run", "a.c"]
    fits, fails = run(tmp_path, command, "Ada 36"), run(tmp_path, command, "Alan 41")
    assert (fits.returncode, fits.stdout) == (0, "who?\nAda 36\n")
    assert (fails.returncode, fails.stdout) == (1, "who?\n")
    assert "a.c:5:7: error: " in fails.stderr
    assert "[bounds]" in fails.stderr


SORTED = r"""
#include <stdio.h>
#include <stdlib.h>
static int upwards(const void *one, const void *other) { return *(const int *)one - *(const int *)other; }
int main(void)
{
    int numbers[] = {5, 3, 9, 1}, key = 9, *found;
    qsort(numbers, 4, sizeof *numbers, upwards);
    found = bsearch(&key, numbers, 4, sizeof key, upwards);
    printf("%d %d %d %d, at %d\n", numbers[0], numbers[1], numbers[2], numbers[3], (int)(found - numbers));
    return 0;
}
"""


@pytest.mark.parametrize("seed", range(4))
def test_what_is_sorted_is_sorted_whatever_the_seed(tmp_path: Path, seed: int) -> None:
    (tmp_path / "a.c").write_text(SORTED, encoding="utf-8")
    done = run(tmp_path, [sys.executable, "-m", "heapwright", "run", "--seed", str(seed), "a.c"], "")
    assert done.stdout == "1 3 5 9, at 3\n"


def test_a_run_that_depends_on_an_approximation_says_so(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint main(void) { long double x = 1; if (x * 2 > 1) puts("more"); return 0; }\n'
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    done = run(tmp_path, [sys.executable, "-m", "heapwright", "run", "a.c"], "")
    assert "the run depends on values that are approximate" in done.stderr
    (tmp_path / "a.c").write_text(SORTED, encoding="utf-8")
    assert "approximate" not in run(tmp_path, [sys.executable, "-m", "heapwright", "run", "a.c"], "").stderr
