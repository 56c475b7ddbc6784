"""`heapwright --help` takes no more than three times as long as Python itself."""

from __future__ import annotations

import resource
import subprocess
import sys

ROUNDS = 9
HELP = "from heapwright.cli import main; main(['--help'])"


def seconds(code: str) -> float:
    """Processor time of one call, which other work on the machine disturbs less than the clock on the wall."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_is_quick() -> None:
    pairs = [(seconds(HELP), seconds("pass")) for _ in range(ROUNDS)]
    assert min(help for help, _ in pairs) < 3 * min(plain for _, plain in pairs)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from heapwright.cli import main; main(['--help']); "
        "heavy = ('clang', 'z3', 'oxidd', 'dataclasses', 'typing'); "
        "print(sorted(m for m in sys.modules if m.startswith('heapwright') or m in heavy))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.splitlines()[-1] == "['heapwright', 'heapwright.cli', 'heapwright.cli.parser']"
