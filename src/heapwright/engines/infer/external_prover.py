"""A second prover, asked where z3 does not find out: any program that reads SMT-LIB, if it is installed.

    second = Elsewhere.find("cvc5")
    second.refutes("(declare-const p Bool) (assert (and p (not p))) (check-sat)")       # True

Only "there is no model" is believed of it, and only what it says in so many words: a prover that is not there, fails or
takes too long has not found out either.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heapwright.base.errors import UsageError

SECONDS = 10  # of one question
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "cvc5": ("--lang=smt2", f"--tlimit={1000 * SECONDS}"),
    "vampire": ("--input_syntax", "smtlib2", "--mode", "casc", "-t", f"{SECONDS}"),
    "z3": ("-smt2", f"-T:{SECONDS}"),
}
REFUTED = ("unsat", "% SZS status Unsatisfiable", "% SZS status ContradictoryAxioms")


@dataclass(frozen=True, slots=True)
class ExternalProver:
    command: tuple[str, ...]

    @staticmethod
    def find(name: str) -> ExternalProver:
        path = shutil.which(name)
        if path is None or name not in COMMANDS:
            raise UsageError(f"the prover '{name}' is not installed", hint=f"known provers: {', '.join(COMMANDS)}")
        return ExternalProver((path, *COMMANDS[name]))

    def refutes(self, text: str) -> bool:
        """Whether the prover says that formulas in SMT-LIB have no model."""
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "question.smt2"
            file.write_text(text, encoding="utf-8")
            try:
                ended = subprocess.run(
                    [*self.command, str(file)], capture_output=True, text=True, timeout=2 * SECONDS, check=False
                )
            except (OSError, subprocess.TimeoutExpired):
                return False
        lines = [line.strip() for line in ended.stdout.splitlines()]
        return any(line == sign or line.startswith(f"{sign} for") for line in lines for sign in REFUTED)
