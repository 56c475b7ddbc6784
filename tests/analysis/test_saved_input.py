"""The input of a violation as text: the interpreter and gcc's sanitizers fail on it at the same line."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.analysis.saved_input import input_of
from heapwright.engines.api import Limits, NullProgress
from heapwright.result.outcomes import Outcome, Verdict
from heapwright.settings.properties import goal_of

GOAL = goal_of(("valid-deref", "valid-free"))
HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv)\n{\n"
INDEX = """\
    int numbers[4] = {0}, i, v;
    while (scanf("%d %d", &i, &v) == 2)
        if (i >= 0 && i <= 4)
            numbers[i] = v;
    return numbers[0];
}
"""
COMMAND = """\
    int c, *kept = malloc(sizeof *kept);
    if (!kept)
        return 1;
    *kept = 1;
    while ((c = getchar()) != EOF)
        if (c == 'd')
            free(kept);
    return 0;
}
"""
WIDTH = """\
    char *name = malloc(8);
    int n;
    if (name && scanf("%d:", &n) == 1 && n == 7)
        scanf("%8s", name);
    free(name);
    return 0;
}
"""
LINE = """\
    char line[9], kept[3];
    if (fgets(line, sizeof line, stdin) && line[0] == 'k')
        strcpy(kept, line);
    return 0;
}
"""
BYTES = """\
    int table[5] = {0};
    unsigned char pair[2];
    if (fread(pair, 1, 2, stdin) == 2 && pair[0] == 'x')
        table[pair[1] & 7]++;
    return table[0];
}
"""
GROWN = """\
    char *line = NULL;
    size_t size = 0;
    if (getline(&line, &size, stdin) > 0 && line[0] == 'q')
        free(line);
    free(line);
    return 0;
}
"""
WORDS = """\
    char word[10];
    int n, *p = NULL;
    while (scanf("%9s", word) == 1)
        if (word[0] == 'n' && !p && scanf("%d", &n) == 1)
            p = calloc(1, sizeof *p);
        else if (word[0] == 'f')
            free(p);
        else
            return 0;
    return 0;
}
"""
ARGUMENT = """\
    return argc == 3 ? *(int *)0 : 0;
}
"""


def violated(tmp_path: Path, text: str) -> tuple[Input, Outcome]:
    path = tmp_path / "a.c"
    path.write_text(HEAD + text, encoding="utf-8")
    source = Input((str(path),))
    result = analyze(build(source, lambda phase: None), GOAL, "explore", Limits(states=4_000), NullProgress())
    return source, next(one for one in result.outcomes if one.verdict is Verdict.VIOLATED)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("text", [INDEX, COMMAND, WIDTH, LINE, BYTES, GROWN, WORDS])
def test_the_compiled_program_fails_on_the_input(tmp_path: Path, text: str) -> None:
    source, outcome = violated(tmp_path, text)
    found = input_of(source, GOAL, outcome)
    assert found is not None
    (program,) = source.files
    command = ["gcc", "-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", program, "-o", "a"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run(["./a"], cwd=tmp_path, input=found, capture_output=True, check=False)
    assert done.returncode != 0
    line = re.search(rb"a\.c:(\d+)", done.stderr)
    assert line is not None
    assert int(line[1]) == outcome.check.span.line


def test_a_failure_that_depends_on_arguments_has_no_input(tmp_path: Path) -> None:
    source, outcome = violated(tmp_path, ARGUMENT)
    assert input_of(source, GOAL, outcome) is None


def test_what_is_pushed_back_is_read_again(tmp_path: Path) -> None:
    text = "    int c = getchar(), d;\n    if (c == EOF || ungetc(c, stdin) == EOF)\n        return 0;\n"
    path = tmp_path / "a.c"
    path.write_text(HEAD + text + "    d = getchar();\n    return c == d ? 0 : *(int *)0;\n}\n", encoding="utf-8")
    program = build(Input((str(path),)), lambda phase: None)
    result = analyze(program, GOAL, "explore", Limits(states=20_000), NullProgress())
    assert {one.verdict for one in result.outcomes} == {Verdict.PROVED}


def test_what_is_read_twice_is_not_said_to_differ(tmp_path: Path) -> None:
    text = '    FILE *f = fopen("x", "r");\n    int c, d;\n    if (!f)\n        return 0;\n'
    end = (
        "    c = fgetc(f);\n    rewind(f);\n    d = fgetc(f);\n    fclose(f);\n    return c == d ? 0 : *(int *)0;\n}\n"
    )
    path = tmp_path / "a.c"
    path.write_text(HEAD + text + end, encoding="utf-8")
    program = build(Input((str(path),)), lambda phase: None)
    result = analyze(program, GOAL, "explore", Limits(states=20_000), NullProgress())
    assert not [one for one in result.outcomes if one.verdict is Verdict.VIOLATED]
