"""`heapwright --help` is instant, because it loads next to nothing."""

from __future__ import annotations

import subprocess
import sys


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from heapwright.cli import main; main(['--help']); "
        "heavy = ('clang', 'z3', 'oxidd', 'dataclasses', 'typing'); "
        "print(sorted(m for m in sys.modules if m.startswith('heapwright') or m in heavy))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.splitlines()[-1] == "['heapwright', 'heapwright.cli', 'heapwright.cli.parser']"


def test_a_check_loads_nothing_of_pages_and_of_the_python_interface() -> None:
    code = (
        "import sys; from heapwright.cli import main; main(['check', '--help']); "
        "late = tuple('heapwright.' + m for m in ('report.html', 'report.drawing', 'api', 'program.runs.recording')); "
        "print([m for m in sys.modules if m.startswith(late)])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.splitlines()[-1] == "[]"
