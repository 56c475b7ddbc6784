"""The list of modules that are compiled: each is there, and the fixpoint that engines share is among them."""

from __future__ import annotations

import runpy

from support.paths import ROOT


def test_every_listed_module_exists() -> None:
    build = runpy.run_path(str(ROOT / "hatch_build.py"))
    modules = build["MODULES"].split()
    assert {"kit/fixpoint", "tvl/fixpoint"} <= set(modules)
    assert [one for one in modules if not (ROOT / "src" / build["KERNEL"] / f"{one}.py").is_file()] == []
