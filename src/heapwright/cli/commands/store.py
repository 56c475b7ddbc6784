"""`heapwright store stats [PATH]`, `heapwright store prune [PATH]`: what is kept about a project, and deleting it."""

from __future__ import annotations

import argparse
import os

from heapwright.base.errors import InputError, UsageError
from heapwright.base.source import printable
from heapwright.cli.parser import Parser

EXITS = {0: "done"}
ACTIONS = ("stats", "prune")


def add_arguments(parser: Parser) -> None:
    parser.add_argument("action", metavar="ACTION", help="stats: what is kept; prune: delete what was not used lately")
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="directory of the project (default: here)")
    parser.add_argument("--store", metavar="FILE", help="file of the store (default: in the user's cache directory)")
    parser.add_argument(
        "--days", type=float, default=90.0, metavar="N", help="prune: not used for so long (default 90)"
    )


def execute(arguments: argparse.Namespace) -> int:
    from heapwright.project.store.database import open_store, store_path

    if arguments.action not in ACTIONS:
        raise UsageError(f"unknown action '{arguments.action}'", hint="actions: " + ", ".join(ACTIONS))
    if not arguments.days >= 0:
        raise UsageError(f"'days' must not be negative: {arguments.days:g}")
    path = arguments.store or store_path(arguments.path)
    if path is None or not os.path.exists(path):
        raise InputError(f"there is no store of '{printable(arguments.path)}'", hint="run 'heapwright project' first")
    store = open_store(arguments.path, arguments.store)
    try:
        if arguments.action == "prune":
            print(f"{store.prune(arguments.days)} answers deleted")
        found = store.statistics()
        print(f"{printable(found['path'])}: {found['bytes'] / 1e6:.1f} MB")
        for name, count in found["rows"].items():
            print(f"{name:>10} {count:>9}")
        for word, count in sorted(found["verdicts"].items()):
            print(f"{word:>10} {count:>9}")
        rows = max(found["rows"]["result"], 1)
        print(f"{found['answers'] / rows:.0f} bytes of JSON for each answer")
    finally:
        store.close()
    return 0
