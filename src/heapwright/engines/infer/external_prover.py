"""External SMT-LIB prover, queried where z3 answers unknown; only its "unsat" is used.

    prover = ExternalProver.find("cvc5")
    prover.refutes("(declare-const p Bool) (assert (and p (not p))) (check-sat)")       # True

A prover that is not installed, fails or reaches the time limit has answered unknown.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heapwright.base.errors import UsageError

SECONDS = 10  # of one query
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
        """Whether the prover answers unsat to a query in SMT-LIB."""
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "query.smt2"
            file.write_text(text, encoding="utf-8")
            try:
                ended = subprocess.run(
                    [*self.command, str(file)], capture_output=True, text=True, timeout=2 * SECONDS, check=False
                )
            except (OSError, subprocess.TimeoutExpired):
                return False
        lines = [line.strip() for line in ended.stdout.splitlines()]
        return any(line == sign or line.startswith(f"{sign} for") for line in lines for sign in REFUTED)
