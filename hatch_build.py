"""The kernel of the 3-valued engine compiled to C by mypyc, for those who ask for it.

    HEAPWRIGHT_MYPYC=1 pip install .           a wheel with compiled modules
    python hatch_build.py DIRECTORY            a copy of the package there, with compiled modules beside the plain ones

Nothing depends on it: the same files are what runs where they are not compiled, and the same tests hold for both. It
takes a C compiler, mypy and setuptools, and about a minute. Where one of them is missing, the wheel is a plain one, and
a warning says why.

Only modules are compiled in which time is spent, and that mypyc takes as they are. The functions that formulas and
constraints become are written while an analysis runs, so that they stay Python.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
PACKAGE = "heapwright"
KERNEL = "heapwright/engines"
MODULES = (
    "kit/fixpoint kit/worklist tvl/constraints/coerce tvl/constraints/integrity_constraints tvl/fixpoint "
    "tvl/focus/focus tvl/focus/focus_cache tvl/focus/strategies tvl/formulas/code_generation "
    "tvl/formulas/dependencies tvl/formulas/evaluation tvl/formulas/mask_code tvl/formulas/rewriting "
    "tvl/formulas/subformula_numbering tvl/structures/abstraction_cache tvl/structures/antichain "
    "tvl/structures/bit_sets tvl/structures/canonical_abstraction tvl/structures/embedding tvl/structures/join "
    "tvl/structures/renumbering tvl/structures/structure tvl/transform/absence_check tvl/transform/derived_updates "
    "tvl/transform/finite_differencing tvl/transform/transformer tvl/transform/universe_changes"
)
SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(sys.argv[1:], opt_level="2", group_name="heapwright")
setup(name="heapwright-kernel", packages=[], ext_modules=modules, script_args=["-q", "build_ext", "--inplace"])
"""

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:
    BuildHookInterface = object  # type: ignore[assignment, misc]  # run by hand


class CompilationFailed(Exception):
    """The message is the last line that a compiler wrote."""


def compiled_into(directory: Path) -> list[Path]:
    """Copies the package into a directory and compiles the kernel there; returns the files that were made."""
    shutil.copytree(
        ROOT / "src" / PACKAGE,
        directory / PACKAGE,
        ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"),
        dirs_exist_ok=True,
    )
    files = [f"{KERNEL}/{module}.py" for module in MODULES.split()]
    done = subprocess.run(
        [sys.executable, "-c", SETUP, *files], cwd=directory, capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise CompilationFailed(lines[-1] if lines else "no reason was given")
    shutil.rmtree(directory / "build", ignore_errors=True)
    return sorted(path for suffix in ("*.so", "*.pyd") for path in directory.rglob(suffix))


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]  # `object` takes no argument
    def dependencies(self) -> list[str]:
        return ["mypy", "setuptools"] if wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not wanted() or version == "editable":
            return
        scratch = Path(tempfile.mkdtemp(prefix="heapwright-"))
        self.scratch = scratch
        try:
            made = compiled_into(scratch)
        except CompilationFailed as failure:
            self.app.display_warning(f"the kernel stays plain Python, it cannot be compiled: {failure}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): str(path.relative_to(scratch)) for path in made})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(getattr(self, "scratch", ""), ignore_errors=True)


def wanted() -> bool:
    return os.environ.get("HEAPWRIGHT_MYPYC", "") not in ("", "0")


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python hatch_build.py DIRECTORY", file=sys.stderr)
        return 2
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    try:
        made = compiled_into(directory)
    except CompilationFailed as failure:
        print(f"cannot compile the kernel: {failure}", file=sys.stderr)
        return 1
    print(f"{len(made)} compiled modules; try PYTHONPATH={directory} python -m heapwright")
    return 0


if __name__ == "__main__":
    sys.exit(main())
