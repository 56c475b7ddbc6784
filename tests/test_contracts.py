"""The import contracts of pyproject.toml fail on what they forbid: forbidden imports in a copy of the package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.paths import ROOT

# A contract, a module, and what it must not import.
FORBIDDEN = [
    ("Engines do not know one another", "engines.fesa.engine", "heapwright.engines.boolheap.engine"),
    ("Engines do not know one another", "engines.fesa.fixpoint", "heapwright.engines.boolheap.api"),
    ("Engines do not know one another", "engines.lazy.heap.aliases", "heapwright.engines.tvl.encoding.vocabulary"),
    ("Engines are seen through their registry", "cli.commands.lower", "heapwright.engines.tvl.fixpoint"),
    ("Engines are seen through their registry", "proof.verify", "heapwright.engines.tvl.api"),
    ("Engines see programs, never C", "engines.tvl.engine", "heapwright.tvp.reader"),
    ("Reports need no engine", "report.json_report", "heapwright.engines.tvl.api"),
    ("The kit knows no engine", "engines.kit.deadline", "heapwright.engines.fesa.engine"),
    ("Modules of c.syntax", "c.syntax.types", "heapwright.c.syntax.statements"),
    ("Modules of report.html", "report.html.staging", "heapwright.report.html.page"),
    ("Rooms", "program.graph", "heapwright.c.parse"),
    ("Rooms of analysis", "analysis.judgement", "heapwright.analysis.schedule"),
    ("Rooms of boolheap", "engines.boolheap.logic.formulas", "heapwright.engines.boolheap.fixpoint"),
    ("Rooms of c", "c.parse", "heapwright.c.lower.lowerer"),
    ("Rooms of c.lower", "c.lower.statements", "heapwright.c.lower.lowerer"),
    ("Rooms of cli", "cli.options", "heapwright.cli.commands.check"),
    ("Rooms of fesa", "engines.fesa.numeric.api", "heapwright.engines.fesa.graph.lattice"),
    ("Rooms of floor", "engines.floor.domain.state", "heapwright.engines.floor.fixpoint"),
    ("Rooms of fuzz", "fuzz.mutate", "heapwright.fuzz.campaign"),
    ("Rooms of infer", "engines.infer.algorithm", "heapwright.engines.infer.heaps.domain"),
    (
        "Rooms of infer.heaps and infer.arrays",
        "engines.infer.arrays.domain",
        "heapwright.engines.infer.arrays.inference",
    ),
    ("Rooms of lazy", "engines.lazy.logic.terms", "heapwright.engines.lazy.art.cegar_loop"),
    ("Rooms of program", "program.semantics.state", "heapwright.program.runs.interpreter"),
    ("Rooms of project", "project.store.key", "heapwright.project.session"),
    ("Rooms of report", "report.model", "heapwright.report.terminal.console"),
    ("Rooms of reproduce", "reproduce.lazy.measure", "heapwright.reproduce.fesa.measure"),
    ("Rooms of tvl", "engines.tvl.fixpoint", "heapwright.engines.tvl.engine"),
    ("Rooms of tvl.encoding", "engines.tvl.encoding.memory.cells", "heapwright.engines.tvl.encoding.vocabulary"),
    ("Rooms of tvp", "tvp.specification", "heapwright.tvp.reader"),
    ("Rich and Dask stay in project", "project.reports.summary", "rich"),
    ("Solvers of fesa stay in numeric", "engines.fesa.graph.lattice", "oxidd"),
    ("pytest is imported by testing", "report.messages", "pytest"),
    ("z3 is imported by smt alone", "engines.fesa.transfer.commands", "z3"),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the modules, and of the contracts."""
    folder = tmp_path_factory.mktemp("copy")
    only_python = shutil.ignore_patterns("__pycache__", "*.h", "*.c", "*.json", "*.so")
    shutil.copytree(ROOT / "src" / "heapwright", folder / "heapwright", ignore=only_python)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def broken(package: Path) -> dict[str, str]:
    """The contracts that are broken, by name, with the imports that break them."""
    environment = {**os.environ, "PYTHONPATH": str(package), "COLUMNS": "400", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
    done = subprocess.run(command, cwd=package, env=environment, capture_output=True, text=True, check=False)
    names = re.findall(r"^(.+) BROKEN", done.stdout, re.MULTILINE)
    assert (done.returncode == 0) == (not names), done.stdout + done.stderr
    assert re.search(rf"{len(names)} broken\.", done.stdout), done.stdout + done.stderr
    details = done.stdout.partition("Broken contracts")[2]
    parts = re.split(r"^(.+)\n-+\n", details, flags=re.MULTILINE)
    found = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {name: found[name] for name in names}


def test_every_contract_is_tried() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    assert {one["name"] for one in contracts} == {name for name, _, _ in FORBIDDEN}


def test_contracts_hold_until_an_import_breaks_them(package: Path) -> None:
    assert broken(package) == {}
    for _, module, imported in FORBIDDEN:
        path = package / "heapwright" / f"{module.replace('.', '/')}.py"
        path.write_text(path.read_text(encoding="utf-8") + f"\nimport {imported}\n", encoding="utf-8")
    found = broken(package)
    for contract, module, imported in FORBIDDEN:
        assert f"heapwright.{module} -> {imported} " in found.get(contract, ""), (contract, module, imported)
