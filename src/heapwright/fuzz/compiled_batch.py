"""Many programs in two files, compiled by one call of gcc with sanitizers, and run one after the other.

The batch has two translation units, of all visible and of all hidden files; macros give the names of each program a
number, so that lines and names of files stay as they are. A driver runs each program in a child process of its own.

    outputs = run_batch([TwoFiles(...), TwoFiles(...)])     # what each one printed, reports included
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from heapwright.base.errors import HeapwrightError
from heapwright.c.options import HEADERS
from heapwright.fuzz.generators.two_files import HIDDEN, RENAMED_MAIN, VISIBLE, TwoFiles, file_scope_names
from heapwright.witness.runtime import RUNTIME_FILE
from heapwright.witness.sanitizer_run import ACCESSES_ONLY, COMPILER, FLAGS

SECONDS = 4  # for one program
_COMPILE_SECONDS = 600
_INCLUDES = f"""\
#line 1 "{RUNTIME_FILE}"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "heapwright.h"
"""
_RUNTIME = """\
void __sanitizer_print_stack_trace(void);
void __heapwright_assert_fail(const char *condition, const char *file, int line)
{
    fflush(stdout);
    fprintf(stderr, "heapwright: assertion failed\\n");
    __sanitizer_print_stack_trace();
    _exit(1);
}
"""
_DRIVER = f"""\
int main(void)
{{
    int errors = dup(2);
    dup2(open("/dev/null", O_WRONLY), 2);
    __sanitizer_print_stack_trace(); /* reads the debug information, once for all children */
    dup2(errors, 2);
    for (int number = 0; number < (int)(sizeof programs / sizeof *programs); number++) {{
        pid_t child = fork();
        if (child == 0) {{
            char name[32];
            snprintf(name, sizeof name, "%d.out", number);
            int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
            dup2(file, 1);
            dup2(file, 2);
            alarm({SECONDS});
            printf("checksum %u\\n", (unsigned)programs[number]());
            exit(0);
        }}
        waitpid(child, NULL, 0);
    }}
    return 0;
}}
"""


def run_batch(programs: Sequence[TwoFiles]) -> list[str]:
    """The output of each program. A program that is stopped by the alarm ends without a checksum and without a
    report."""
    compiler = shutil.which(COMPILER)
    if compiler is None:
        raise HeapwrightError(f"{COMPILER} not found")
    with tempfile.TemporaryDirectory(prefix="heapwright-") as name:
        folder = Path(name)
        shutil.copy(HEADERS / "assert.h", folder)
        shutil.copy(HEADERS / "heapwright.h", folder)
        _write(programs, folder)
        command = [compiler, *FLAGS, "-g1", ACCESSES_ONLY, "-I.", "all_visible.c", "all_hidden.c", "-o", "batch"]
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=_COMPILE_SECONDS, check=False)
        if done.returncode != 0:
            raise HeapwrightError("a batch does not compile:\n" + done.stderr.decode("utf-8", "replace")[:2_000])
        environment = {key: value for key, value in os.environ.items() if not key.endswith("SAN_OPTIONS")}
        options = {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1", "LC_ALL": "C"}
        subprocess.run(
            ["./batch"],
            cwd=folder,
            env={**environment, **options},
            stdin=subprocess.DEVNULL,
            timeout=60 + SECONDS * len(programs),
            check=False,
        )
        files = [folder / f"{number}.out" for number in range(len(programs))]
        return [file.read_text(encoding="utf-8", errors="replace") if file.exists() else "" for file in files]


def _write(programs: Sequence[TwoFiles], folder: Path) -> None:
    visible, hidden = [_INCLUDES], [_INCLUDES, _RUNTIME]
    for number, program in enumerate(programs):
        home = folder / str(number)
        home.mkdir()
        (home / VISIBLE).write_text(program.visible, encoding="utf-8")
        (home / HIDDEN).write_text(program.hidden, encoding="utf-8")
        names = file_scope_names([program.visible, program.hidden])
        head = "".join(f"#define {name} {name}_{number}\n" for name in names)
        foot = "".join(f"#undef {name}\n" for name in [*names, "main"])
        visible_main = f"{RENAMED_MAIN if program.hidden_main else 'main'}_{number}"
        visible.append(f'{head}#define main {visible_main}\n#include "{number}/{VISIBLE}"\n{foot}')
        hidden.append(f'{head}#define main main_{number}\n#include "{number}/{HIDDEN}"\n{foot}')
    mains = ", ".join(f"main_{number}" for number in range(len(programs)))
    hidden += [f"int main_{number}();\n" for number in range(len(programs))]
    hidden += [f"static int (*programs[])() = {{ {mains} }};\n", _DRIVER]
    (folder / "all_visible.c").write_text("".join(visible), encoding="utf-8")
    (folder / "all_hidden.c").write_text("".join(hidden), encoding="utf-8")
