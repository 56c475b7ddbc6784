"""Determinism: the same program in two processes with different hash seeds must give the same results.

Only answers that came long before their limit are compared, since what is cut short by time may be cut early or late;
others are not waited for. Nothing is kept from the first for the second.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from heapwright.engines.api import OptionValue
from heapwright.fuzz.trial import EngineConfig

SEEDS = ("1", "2")
SLACK = 5  # an answer that took more than this part of its limit may have been cut short somewhere
START = 5  # seconds that a process may take besides
CLOCK = ("_s", "_mb")  # endings of the names of times and other values of the system


def same_answer(text: str, function: str, setting: EngineConfig, seconds: float) -> str:
    """The difference of two answers, "" if there is none, or if they take more than so many seconds."""
    answers: list[object] = []
    for seed in SEEDS:
        answers.append(_answer(text, function, setting, seconds, seed))
        if answers[-1] is None:
            return ""
    if answers[0] == answers[1]:
        return ""
    first, second = (json.dumps(answer, indent=1).splitlines() for answer in answers)
    pairs = [f"{a.strip()} / {b.strip()}" for a, b in zip(first, second, strict=False) if a != b]
    return (pairs or ["one is longer"])[0]


def arguments_of(name: str, value: OptionValue) -> list[str]:
    """An option of an engine on the command line."""
    if isinstance(value, bool):
        return [f"--{name}" if value else f"--no-{name}"]
    values = value if isinstance(value, tuple) else (value,)
    return [part for one in values for part in (f"--{name}", str(one))]


def _answer(text: str, function: str, setting: EngineConfig, seconds: float, seed: str) -> object:
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "random.c").write_text(text, encoding="utf-8")
        options = [part for key, value in setting.options for part in arguments_of(key, value)]
        command = [sys.executable, "-m", "heapwright", "check", "random.c", "--engine", setting.engine, *options]
        command += ["--timeout", f"{SLACK * seconds:g}", "--json", "-"]
        command += [] if function == "main" else ["--function", function]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "HEAPWRIGHT_CACHE": "off"}
        try:
            done = subprocess.run(
                command,
                cwd=directory,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
                timeout=seconds + START,
            )
        except subprocess.TimeoutExpired:
            return None
    if done.returncode not in (0, 1, 3):
        return done.stderr.strip()
    report = json.loads(done.stdout)
    if report["stats"]["time_s"] > seconds:
        return None
    report["stats"] = {key: value for key, value in report["stats"].items() if not key.endswith(CLOCK)}
    return report
