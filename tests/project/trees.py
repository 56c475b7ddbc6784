"""Small source trees, and runs over them in this process with one child at a time."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from heapwright.c.options import ParseOptions
from heapwright.project.findings.merge import Comments, ProjectReport, project_report
from heapwright.project.session import Finished, Request, run_project
from heapwright.project.store.database import Store, open_store
from heapwright.project.store.digests import FileDigests
from heapwright.project.store.key import Question
from heapwright.project.units.compilations import find_compilations

EXPLORE = Request(question=Question(engine="explore"), timeout=60.0, memory_mb=2000.0)

SAFE = "int main(void) { return 0; }\n"
LEAKS = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  return 0;\n}\n"
LIST = {
    "list.h": "struct node { struct node *next; };\nstruct node *push(struct node *);\nvoid drop(struct node *);\n",
    "list.c": """#include <stdlib.h>
#include "list.h"
struct node *push(struct node *l) { struct node *n = malloc(sizeof *n); n->next = l; return n; }
void drop(struct node *l) { while (l) { struct node *n = l->next; free(l); l = n; } }
""",
    "main.c": '#include "list.h"\nint main(void) { drop(push(0)); return 0; }\n',
}


def write_tree(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (1, 1))  # long before any scan
    return root


def run_tree(
    root: Path, store: Store | Path, request: Request = EXPLORE, base: ParseOptions | None = None, **changes: object
) -> Finished:
    """A run; `changes` replace fields of the request."""
    if isinstance(store, Path):
        opened = open_store(str(root), str(store))
        try:
            return run_tree(root, opened, request, base, **changes)
        finally:
            opened.close()
    tree = find_compilations(str(root), base or ParseOptions())
    return run_project(tree, store, replace(request, **changes))  # type: ignore[arg-type]


def report_of(store: Store, finished: Finished) -> ProjectReport:
    return project_report(store, finished.run, finished.root, Comments(finished.root, FileDigests()))


def verdicts(finished: Finished) -> dict[str, str]:
    return {row.unit.name: row.verdict for row in finished.rows}


def fresh(finished: Finished) -> list[str]:
    """The units that were analysed, not served."""
    return [row.unit.name for row in finished.rows if row.fresh]
