"""Run heapwright on tasks of an SV-COMP checkout and print the table.

    python bench/svcomp.py CHECKOUT [--engine explore] [--timeout 20] [--tasks bench/svcomp-dev.tsv] [--only WORD]

CHECKOUT is a work tree of the benchmark repository. The list of tasks is tab-separated with a header line: path,
property, expected, kind, lines, data_model. Each task runs in a process of its own, as a user would run it.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Task:
    path: str
    property: str
    expected: str
    kind: str
    data_model: str


@dataclass(frozen=True)
class Answer:
    task: Task
    answer: str  # true, false(...), unknown or refused
    seconds: float
    remark: str

    @property
    def judgement(self) -> str:
        if self.answer in ("unknown", "refused"):
            return self.answer
        expected = "false" if self.task.expected.startswith("false") else "true"
        if expected == "true":
            return "proved" if self.answer == "true" else "WRONG alarm"
        if self.answer == "true":
            return "WRONG proof"
        same = self.task.expected in ("false", self.answer)
        return "found" if same else "found, other kind"


def read_tasks(path: Path) -> list[Task]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [Task(r["path"], r["property"], r["expected"], r["kind"], r["data_model"]) for r in rows]


def run(task: Task, checkout: Path, engine: str, timeout: float) -> Answer:
    command = [sys.executable, "-m", "heapwright", "check", str(checkout / task.path), "--engine", engine]
    command += ["--property", task.property, "--data-model", task.data_model, "--timeout", str(timeout)]
    start = time.monotonic()
    done = subprocess.run([*command, "--json", "-"], capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    if done.returncode == 2:
        return Answer(task, "refused", seconds, last_line(done.stderr))
    report = json.loads(done.stdout)
    violated = [check for check in report["checks"] if check["verdict"] == "violated"]
    remark = f"line {violated[0]['line']}: {violated[0]['message']}" if violated else report.get("limit") or ""
    return Answer(task, report["svcomp"], seconds, remark)


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def main() -> int:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description="heapwright on tasks of an SV-COMP checkout")
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--tasks", type=Path, default=here / "svcomp-dev.tsv")
    parser.add_argument("--engine", default="explore")
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--only", default="", help="only tasks whose path contains this")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tasks = [task for task in read_tasks(options.tasks) if options.only in task.path]
    missing = [task.path for task in tasks if not (options.checkout / task.path).is_file()]
    if missing:
        print(f"{options.checkout} has no {missing[0]} ({len(missing)} tasks are missing)", file=sys.stderr)
        return 2
    with ThreadPoolExecutor(options.jobs) as pool:
        answers = list(pool.map(lambda task: run(task, options.checkout, options.engine, options.timeout), tasks))
    print_table(answers)
    return 1 if any("WRONG" in answer.judgement for answer in answers) else 0


def print_table(answers: list[Answer]) -> None:
    width = max((len(answer.task.path) for answer in answers), default=0)
    for answer in answers:
        task = answer.task
        row = f"{task.path:{width}}  {task.expected:22}  {answer.answer:22}  {answer.judgement:18}"
        row += f"  {answer.seconds:6.2f} s"
        print(f"{row}  {answer.remark[:90]}".rstrip())
    counts = Counter(answer.judgement for answer in answers)
    unsafe = sum(answer.task.expected.startswith("false") for answer in answers)
    lowered = len(answers) - counts["refused"]
    print()
    print(f"{len(answers)} tasks: {unsafe} with a violation, {len(answers) - unsafe} safe")
    print(f"lowered without refusal: {lowered} of {len(answers)}")
    print(f"violations found: {counts['found'] + counts['found, other kind']} of {unsafe}")
    print(f"safe ones proved: {counts['proved']} of {len(answers) - unsafe}")
    print(f"wrong: {counts['WRONG alarm'] + counts['WRONG proof']}, unknown: {counts['unknown']}")
    seconds = [answer.seconds for answer in answers]
    print(f"seconds: {sum(seconds):.0f} in all, {max(seconds, default=0):.1f} at most")


if __name__ == "__main__":
    sys.exit(main())
