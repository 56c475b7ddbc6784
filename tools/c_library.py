"""The table of the functions of the C library: the second part of docs/c-library.md.

    python tools/c_library.py            writes it
    python tools/c_library.py --check    exit code 1 if it is not current

Of each function that a header declares: what stands for it, and what compares that with the real one. The first part of
the page, how much of each function is modelled, is written by hand.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from heapwright.c.format_models import FAMILIES
from heapwright.c.library_models import declared_in, models_by_function, takes_pointers
from heapwright.c.lower.calls.library_functions import ENDS, FLOATING, IGNORED, INPUTS, UNSUPPORTED_PREFIXES
from heapwright.c.options import HEADERS
from heapwright.fuzz.library import programs

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "c-library.md"
MARK = "## Every function\n"
COMPARISONS = (ROOT / "tests/c/test_models_and_libc.py", ROOT / "tests/c/beside_libc/environment.c")
COMPARED = re.compile(r"\b(?:BEGIN|SAME)\(\"(\w+)\"|\b[A-Z_]+\((\w+)\b|\bmodel_(\w+)\(")
MEMORY = frozenset({"malloc", "calloc", "realloc", "free", "alloca", "memset", "memcpy", "memmove"})
LOWERED = MEMORY | ENDS | IGNORED | INPUTS | FLOATING.keys()
INTRODUCTION = """
Written by `tools/c_library.py`. *Compared* says what holds it against the real function: **alone**, compiled beside \
it with its choices fed from what the real one did (`tests/c/test_models_and_libc.py`, \
`tests/c/test_environment_models_and_libc.py`); **programs**, in random programs beside gcc \
(`heapwright fuzz --compiler`).

| header | what stands for the function | functions | compared |
|---|---|---|---|
"""


def stands_for(name: str) -> str:
    """What stands for a function."""
    path = models_by_function().get(name)
    if path is not None:
        return f"`models/{path}`"
    if name in FAMILIES:
        return "generated for each format"
    if any(name == one or (one.endswith("_") and name.startswith(one)) for one in UNSUPPORTED_PREFIXES):
        return "refused"
    if name in LOWERED:
        return "built in"
    return "any result, approximate" if takes_pointers(name) else "any result, no other effect"


def compared() -> Mapping[str, str]:
    """What compares each function with the real one."""
    alone: set[str] = set()
    for path in COMPARISONS:
        alone.update(name for found in COMPARED.findall(path.read_text(encoding="utf-8")) for name in found if name)
    text = programs.DECLARATIONS + programs.START + "".join((*programs.CALLS, *programs.READERS, *programs.ENDINGS))
    called = set(re.findall(r"\b(\w+)\(", text))
    kinds = (("alone", alone), ("programs", called))
    return {name: ", ".join(kind for kind, names in kinds if name in names) for name in alone | called}


def table() -> str:
    evidence = compared()
    rows: list[str] = []
    seen: set[str] = set()
    for path in sorted(HEADERS.rglob("*.h"), key=lambda path: str(path.relative_to(HEADERS))):
        if path.name == "heapwright.h":
            continue
        groups: dict[tuple[str, str], list[str]] = defaultdict(list)
        declared = declared_in(path)
        for name in sorted(declared - seen):
            if not name.startswith("__"):
                groups[stands_for(name), evidence.get(name, "")].append(name)
        seen |= declared
        header = str(path.relative_to(HEADERS))
        for (model, kind), names in sorted(groups.items()):
            rows.append(f"| {header} | {model} | {', '.join(f'`{name}`' for name in names)} | {kind} |\n")
            header = ""
    return MARK + INTRODUCTION + "".join(rows)


def page() -> str:
    """The whole page with a current table."""
    return PAGE.read_text(encoding="utf-8").partition(MARK)[0].rstrip("\n") + "\n\n" + table()


def main() -> int:
    if "--check" in sys.argv[1:]:
        current = PAGE.read_text(encoding="utf-8") == page()
        print("docs/c-library.md is current" if current else "docs/c-library.md is not current: run tools/c_library.py")
        return 0 if current else 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
