"""Tasks with known answers, what tools said of them, and how that is judged.

A task is a program, a property and the answer that is known to be right. A tool says `true`, `false(valid-deref)` and
the like, `unknown`, `refused` (it cannot read the program) or `silent`: a linter that complains about nothing has not
proved anything.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

PROVED, FOUND, OTHER_KIND, WRONG_PROOF, WRONG_ALARM = (
    "proved",
    "found",
    "found, other kind",
    "wrong proof",
    "wrong alarm",
)
RIGHT = (PROVED, FOUND, OTHER_KIND)
WRONG = (WRONG_PROOF, WRONG_ALARM)
POINTS = {PROVED: 2, FOUND: 1, OTHER_KIND: 1, WRONG_PROOF: -32, WRONG_ALARM: -16}  # as SV-COMP counts


@dataclass(frozen=True)
class Task:
    path: str
    property: str
    expected: str
    kind: str  # of structure
    data_model: str


@dataclass(frozen=True)
class Answer:
    tool: str
    path: str
    property: str
    limit: float  # seconds
    said: str
    seconds: float
    processor: float  # seconds of processors
    remark: str = ""


def read_tasks(path: Path) -> list[Task]:
    """A tab-separated list with a header line: path, property, expected, kind, lines, data_model."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [Task(r["path"], r["property"], r["expected"], r["kind"], r["data_model"]) for r in rows]


def judged(task: Task, said: str) -> str:
    """What an answer is worth.

    >>> judged(Task("a.c", "valid-memsafety", "false(valid-free)", "list", "LP64"), "false(valid-deref)")
    'found, other kind'
    """
    if not said.startswith(("true", "false")):
        return said
    unsafe = task.expected.startswith("false")
    if said == "true":
        return WRONG_PROOF if unsafe else PROVED
    if not unsafe:
        return WRONG_ALARM
    return FOUND if task.expected in ("false", said) else OTHER_KIND


# --- answers that are kept -------------------------------------------------------------------------------------------


def kept_answers(path: Path) -> list[Answer]:
    """Those of earlier runs; a line that was cut off in the middle does not count."""
    return list(_read(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []


def _read(lines: Iterable[str]) -> Iterator[Answer]:
    for line in lines:
        try:
            yield Answer(**json.loads(line))
        except (ValueError, TypeError):
            continue


def keep(path: Path, answer: Answer) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(answer)) + "\n")
