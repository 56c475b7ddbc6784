"""The second part of docs/api.md: functions, results and what they have, from signatures and docstrings.

    python tools/api_page.py             writes it
    python tools/api_page.py --check     exit code 1 if it is not current

The first part, an example and what holds for all functions, is written by hand.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import heapwright
from heapwright.api import results

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
MARK = "## Functions\n"


def functions() -> list[str]:
    rows = ["| function | what it does | returns |\n", "|---|---|---|\n"]
    for name in heapwright.__all__:
        function = getattr(heapwright, name)
        if inspect.isfunction(function):
            returned = str(inspect.signature(function).return_annotation)
            rows.append(f"| `{name}({', '.join(parameters(function))})` | {told(function)} | {linked(returned)} |\n")
    return rows


def parameters(function: object) -> list[str]:
    found = []
    for one in inspect.signature(function).parameters.values():  # type: ignore[arg-type]  # it is a function
        name = f"*{one.name}" if one.kind is one.VAR_POSITIONAL else one.name
        found.append(name if one.default is one.empty else f"{name}={one.default!r}".replace("'", '"'))
    return found


def linked(returned: str) -> str:
    names = [name for name in vars(results) if name in returned.replace("[", " ").replace(",", " ").split()]
    return f"[`{returned}`](#{names[0].lower()})" if names else f"`{returned}`"


def told(value: object) -> str:
    return cell(" ".join((inspect.getdoc(value) or "").split()))


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def result_classes() -> list[str]:
    parts = ["\n## Results\n"]
    for name, kind in vars(results).items():
        if inspect.isclass(kind) and is_dataclass(kind) and kind.__module__ == results.__name__:
            parts.append(f"\n### {name}\n\n{told(kind)}\n\n| | |\n|---|---|\n")
            shown = [one for one in fields(kind) if one.name not in ("json", "page")]
            parts += [f"| `{one.name}` | `{cell(str(one.type))}` |\n" for one in shown]
            parts += [row for member, value in vars(kind).items() if (row := member_row(member, value))]
    return parts


def member_row(name: str, value: object) -> str:
    if name.startswith("_"):
        return ""
    if isinstance(value, property):
        return f"| `{name}` | {told(value.fget)} |\n"
    if inspect.isfunction(value):
        return f"| `{name}({', '.join(parameters(value)[1:])})` | {told(value)} |\n"
    return ""


def page() -> str:
    """The whole page, with a current second part."""
    start = PAGE.read_text(encoding="utf-8").partition(MARK)[0].rstrip("\n")
    text = "Written by `tools/api_page.py` from signatures and docstrings.\n\n"
    return f"{start}\n\n{MARK}\n{text}" + "".join((*functions(), *result_classes()))


def main() -> int:
    if "--check" in sys.argv[1:]:
        current = PAGE.read_text(encoding="utf-8") == page()
        print("docs/api.md is current" if current else "docs/api.md is not current: run tools/api_page.py")
        return 0 if current else 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
